import type {Comparison} from '../../contract/vocabulary.ts';

/** The interface's comparisons in SQL. A value that is NULL satisfies none of them. */
export const comparisonOperators: Record<Comparison, string> = {gt: '>', lt: '<', gte: '>=', lte: '<='};
