import type {Client} from '../../client/client.ts';
import {firstItems} from '../../client/first-items.ts';
import type {JobItem} from '../../contract/listing.ts';
import type {AugmentationRecord} from '../../contract/local-augmentations.ts';

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

/** So many are read at most. */
const mostJobs = 2000;

/** Every job that a service lists, paged through by its cursor where it has one. */
export async function readJobs(client: Pick<Client, 'listJobs'>, signal: AbortSignal): Promise<JobList> {
	const {listing, hasMore, leftOut, goesRound} = await firstItems(mostJobs, query =>
		client.listJobs(query, {signal}),
	);
	return {items: listing.items, augmentations: [], hasMore: hasMore && !goesRound, leftOut};
}
