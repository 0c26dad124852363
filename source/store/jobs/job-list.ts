import type {Client} from '../../client/client.ts';
import type {JobItem} from '../../contract/listing.ts';
import type {AugmentationRecord} from '../../contract/local-augmentations.ts';
import {refusesLimit} from '../listing/open-page.ts';

/** The jobs that a service lists, as far as they are read. */
export type JobList = {
	readonly items: readonly JobItem[];
	/** Only the embedded service lists them. */
	readonly augmentations: readonly AugmentationRecord[];
	/** The service has more than are read. */
	readonly hasMore: boolean;
	/** How many broke the interface and were left out. */
	readonly leftOut: number;
};

/** Bounds of `limit` are not shown; a hundred is what most services take. */
const pageLimit = 100;

/** So many are read at most. */
const mostJobs = 2000;

/** Every job that a service lists, paged through by its cursor where it has one. */
export async function readJobs(client: Pick<Client, 'listJobs'>, signal: AbortSignal): Promise<JobList> {
	const items: JobItem[] = [];
	const cursors = new Set<string>();
	let limit: number | undefined = pageLimit;
	let leftOut = 0;
	let cursor: string | undefined;
	for (;;) {
		try {
			const {data, setAside} = await client.listJobs(
				{...(limit !== undefined && {limit}), ...(cursor !== undefined && {cursor})},
				{signal},
			);
			items.push(...data.items);
			leftOut += setAside.length;
			cursor = (data.page_info?.has_next && data.page_info.end_cursor) || undefined;
		} catch (error) {
			if (limit === undefined || !refusesLimit(error)) throw error;
			limit = undefined;
			continue;
		}
		const isRound = cursor !== undefined && cursors.has(cursor);
		if (cursor === undefined || isRound || items.length >= mostJobs) {
			return {items, augmentations: [], hasMore: cursor !== undefined && !isRound, leftOut};
		}
		cursors.add(cursor);
	}
}
