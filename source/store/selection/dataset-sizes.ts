import type {Client} from '../../client/client.ts';
import {datasetListLimits, exploreLimits} from '../../contract/limits.ts';
import type {Question} from '../result.ts';

/** How many episodes of an answer each dataset has. */
export type DatasetSizes = {
	readonly sizes: ReadonlyMap<string, bigint>;
	/** Further datasets have some, which were not asked for one by one. */
	readonly isMore: boolean;
};

type Asked = Pick<Client, 'explore' | 'listDatasets'>;

/** A service is asked so many small questions at most, one after the other. */
const mostAsked = 40;

/**
 * The datasets that an answer's episodes are of, which the interface has no facet for: the question is narrowed to the
 * datasets not seen yet, until nothing is left. What is left less each time is what the dataset seen has.
 *
 * @returns undefined where there are more datasets than a request can name.
 */
export async function datasetSizes(
	client: Asked,
	question: Question,
	signal: AbortSignal,
): Promise<DatasetSizes | undefined> {
	let left = question.dataset_ids ?? (await listedDatasets(client, signal));
	if (left === undefined) return undefined;
	const sizes = new Map<string, bigint>();
	let seen: {readonly id: string; readonly total: bigint} | undefined;
	for (let asked = 0; asked < mostAsked && left.length > 0; asked++) {
		const narrowed = {...question, dataset_ids: left, limit: 1, offset: 0};
		const {data} = await client.explore(narrowed, {signal});
		const total = BigInt(data.total);
		if (seen !== undefined) sizes.set(seen.id, seen.total > total ? seen.total - total : 1n);
		const id = data.episodes[0]?.dataset_id;
		seen = id === undefined ? undefined : {id, total};
		if (id === undefined) return {sizes, isMore: false};
		left = left.filter(other => other !== id);
	}
	if (seen === undefined) return {sizes, isMore: false};
	sizes.set(seen.id, left.length === 0 ? seen.total : 1n);
	return {sizes, isMore: left.length > 0};
}

async function listedDatasets(client: Asked, signal: AbortSignal): Promise<string[] | undefined> {
	const ids: string[] = [];
	const cursors = new Set<string>();
	let cursor: string | undefined;
	for (;;) {
		const {data} = await client.listDatasets(
			{limit: datasetListLimits.page.max, ...(cursor === undefined ? {} : {cursor})},
			{signal},
		);
		ids.push(...data.items.map(({artifact_id}) => artifact_id));
		if (ids.length > exploreLimits.datasetIds) return undefined;
		const next = data.page_info.has_next ? data.page_info.end_cursor : undefined;
		if (next == null || cursors.has(next)) return ids;
		cursors.add(next);
		cursor = next;
	}
}
