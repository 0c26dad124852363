import type {Client} from './client.ts';
import type {CallOptions} from './options.ts';

/**
 * Finds a dataset's id by its name: the name is searched for, first among episodes (which carry both), then in the
 * dataset listing, whose artifact counts only when an episode confirms that it bears the name.
 *
 * @returns undefined when the service knows no episode of such a dataset.
 */
export async function resolveDataset(
	client: Client,
	name: string,
	options?: CallOptions,
): Promise<string | undefined> {
	const {data: page} = await client.explore({search: name, limit: 200}, options);
	const seen = page.episodes.find(({dataset_name}) => dataset_name === name);
	if (seen) return seen.dataset_id;
	const {data: listing} = await client.listDatasets({search: name.slice(0, 200), limit: 100}, options);
	for (const {path, artifact_id} of listing.items) {
		if (path.split('/').at(-1) !== name) continue;
		const {data} = await client.explore({dataset_ids: [artifact_id], limit: 1}, options);
		if (data.episodes[0]?.dataset_name === name) return artifact_id;
	}
	return undefined;
}
