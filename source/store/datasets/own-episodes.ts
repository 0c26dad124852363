import type {DatasetItem} from '../../contract/listing.ts';

/** Why something that is listed as a dataset has no episodes to go to; undefined where it may have some. */
export function withoutEpisodes({subtype, path}: Pick<DatasetItem, 'subtype' | 'path'>): string | undefined {
	if (subtype !== 'sarm_progress') return undefined;
	return `${path} is sarm_progress: its frames are those of another dataset, and it has no episodes of its own.`;
}
