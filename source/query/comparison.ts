import type {Comparison} from '../contract/vocabulary.ts';

/** How each comparison is written; the longer signs first, as they are looked for in this order. */
export const comparisonSigns = [
	['>=', 'gte'],
	['<=', 'lte'],
	['>', 'gt'],
	['<', 'lt'],
] as const satisfies readonly (readonly [string, Comparison])[];

export const signOf: Readonly<Record<Comparison, string>> = {gt: '>', lt: '<', gte: '>=', lte: '<='};
