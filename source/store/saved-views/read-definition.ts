import {ownExploreRequest} from '../../contract/local-explore.ts';
import {type Filter, fromRequest} from '../../query/filter.ts';

/** How deep in a body a request is looked for. */
const deepest = 3;

/**
 * The filter that a saved definition of the service (4.5) holds. The document does not show its body, so a part of it
 * counts that is an explore request through and through; what only looks like one could leave out a condition.
 *
 * @returns undefined where there is none, or more than one.
 */
export function filterOfDefinition(body: unknown): Filter | undefined {
	const found = requestsIn(body, deepest);
	return found.length === 1 ? found[0] : undefined;
}

function requestsIn(part: unknown, depth: number): readonly Filter[] {
	if (typeof part !== 'object' || part === null || Array.isArray(part)) return [];
	// Nothing at all is a request too, and says nothing.
	if (Object.keys(part).length === 0) return [];
	const read = ownExploreRequest.safeParse(part);
	if (read.success) return [fromRequest(read.data)];
	return depth === 0 ? [] : Object.values(part).flatMap(each => requestsIn(each, depth - 1));
}
