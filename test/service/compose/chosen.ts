import path from 'node:path';
import type {ComposeWork} from '../../../source/service/compose/compose-messages.ts';
import {ingest} from '../ingest/ingest-run.ts';

/** What an ingest found of a dataset's episodes, as a composition asks for them. */
export async function chosen(
	root: string,
	name: string,
	indices: readonly number[],
	ordinal = 0,
): Promise<ComposeWork['parents'][number]> {
	const folder = path.join(root, name);
	const {episodes} = await ingest(folder, root);
	return {
		folder,
		dataset_name: name,
		ordinal,
		episodes: indices.map(episode_index => ({
			episode_index,
			revision: String(episodes.find(row => row.episode_index === episode_index)?.revision),
		})),
	};
}
