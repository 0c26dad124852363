import type {LakeEpisode} from '../../contract/episode.ts';
import type {Explorer} from '../explorer.ts';
import type {ExportContent} from '../export/export-desk.ts';
import type {Selection} from '../selection/selection.ts';
import {sourceOf} from './dataset-source.ts';
import {byDataset, deleteLine, excludeLine} from './lerobot-lines.ts';

/** How episodes are handed to LeRobot: deleted from a copy (all, or those of them that are rejected), or left out in training. */
export type LerobotForm = 'delete' | 'delete-rejected' | 'exclude';

type Asked = Pick<Explorer, 'client' | 'local' | 'reviews'>;

/** What is selected, as LeRobot's own commands take it: a line a dataset. */
export function lerobotContent(
	{client, local, reviews}: Asked,
	selection: Selection,
	form: LerobotForm,
): ExportContent {
	const isRejected = (episode: LakeEpisode) => reviews.shown(episode).review_state === 'rejected';
	return {
		selection,
		async gather(episodes, signal) {
			const wanted = form === 'delete-rejected' ? episodes.filter(isRejected) : episodes;
			if (wanted.length === 0)
				throw new Error('None of these episodes is rejected: there is nothing to delete.');
			const known = local.known.getState();
			const groups = await byDataset(wanted, episode => sourceOf({client, local: known}, episode, signal));
			const line = form === 'exclude' ? excludeLine : deleteLine;
			return groups.map(line).join('\n');
		},
	};
}
