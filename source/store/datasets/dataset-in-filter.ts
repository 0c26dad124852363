import {datasetName} from '../../contract/episode.ts';
import type {DatasetItem} from '../../contract/listing.ts';

/**
 * What a filter calls a dataset: its name where the listing tells it besides the path, which need not end with it, and
 * its id otherwise.
 */
export function datasetInFilter({artifact_id, path, metadata}: DatasetItem): string {
	const name = path.split('/').at(-1) ?? '';
	return metadata?.dataset_name === name && datasetName.safeParse(name).success ? name : artifact_id;
}
