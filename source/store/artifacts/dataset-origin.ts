import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {datasetName} from '../../contract/episode.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import type {Count} from '../../contract/scalars.ts';
import {isDatasetId} from '../../query/filter.ts';

/** That episodes of a dataset were made of others, which can be found. */
export type DatasetOrigin = {
	readonly datasetId: string;
	/** Its episodes that name a parent. */
	readonly children: Count;
};

/** Asks of the one dataset that is opened whether its episodes were made of others. */
export class DatasetOriginWatch {
	readonly known: StoreApi<DatasetOrigin | undefined> = createStore(
		(): DatasetOrigin | undefined => undefined,
	);
	readonly #client: Pick<Client, 'explore'>;
	#reading: AbortController | undefined;
	#datasetId: string | undefined;

	constructor(client: Pick<Client, 'explore'>) {
		this.#client = client;
	}

	/** Looks at a dataset, or at none. */
	open(datasetId: string | undefined): void {
		if (datasetId === this.#datasetId) return;
		this.#datasetId = datasetId;
		this.#reading?.abort();
		this.known.setState(undefined, true);
		if (datasetId === undefined || !isDatasetId(datasetId)) return;
		const reading = new AbortController();
		this.#reading = reading;
		const {signal} = reading;
		this.#client.explore({dataset_ids: [datasetId], lineage: 'children', limit: 1}, {signal}).then(
			({data: {episodes, total}}) => {
				// A parent without its dataset cannot be found.
				const canBeFound = episodes[0]?.parent_dataset_name != null;
				if (canBeFound && !signal.aborted) this.known.setState({datasetId, children: total}, true);
			},
			// Without an answer there is one line less; the episodes themselves tell the same.
			() => undefined,
		);
	}
}

/** Why something that is listed as a dataset has no episodes to go to; undefined where it may have some. */
export function withoutEpisodes({subtype, path}: Pick<DatasetItem, 'subtype' | 'path'>): string | undefined {
	if (subtype !== 'sarm_progress') return undefined;
	return `${path} is the progress that a reward model gave: its frames are those of another dataset, and it has no episodes of its own.`;
}

/**
 * A dataset's name in filters: the one that the listing gives besides the path, which need not end with it, and
 * its id otherwise.
 */
export function datasetInFilter({artifact_id, path, metadata}: DatasetItem): string {
	const name = path.split('/').at(-1) ?? '';
	return metadata?.dataset_name === name && datasetName.safeParse(name).success ? name : artifact_id;
}
