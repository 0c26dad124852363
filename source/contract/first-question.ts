import type {ExploreRequest} from './explore.ts';

/**
 * The explorer's first question: a page of everything. Rows a page: some screens full. One explore call gives 200 at most,
 * but the reader waits for the last row before the first is shown: half as many are there a tenth sooner, and the first page
 * is read again and again. The embedded service, once it is there, finds the answer before it is asked.
 */
export const firstQuestion = {limit: 100} as const satisfies ExploreRequest;
