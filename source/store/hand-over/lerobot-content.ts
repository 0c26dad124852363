import type {LakeEpisode} from '../../contract/episode.ts';
import type {Catalog} from '../catalog.ts';
import type {ExportContent} from '../export/export-desk.ts';
import type {LocalWatch} from '../local-watch.ts';
import type {ReviewDesk} from '../reviews/review-desk.ts';
import type {Selection} from '../selection/selection.ts';
import {sourceOf} from './dataset-source.ts';
import {byDataset, deleteLine, excludeLine, isAll} from './lerobot-lines.ts';

/** How episodes are handed to LeRobot: deleted from a copy (all, or those of them that are rejected), or left out in training. */
export type LerobotForm = 'delete' | 'delete-rejected' | 'exclude';

type Asked = {readonly catalog: Catalog; readonly local: LocalWatch; readonly reviews: ReviewDesk};

/** What is selected, as LeRobot's own commands take it: a line a dataset. */
export function lerobotContent(
	{catalog, local, reviews}: Asked,
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
			const isOfThisMachine = local.known.getState().document !== undefined;
			const groups = await byDataset(wanted, async episode => {
				const item = await catalog.datasets.listing.find(episode.dataset_id, signal);
				return sourceOf(episode, item, isOfThisMachine);
			});
			if (groups.every(isAll)) {
				const names = groups.map(({source}) => source.repoId).join(', ');
				throw new Error(
					`These are all episodes of ${names}: nothing would be left. Select those that are to go.`,
				);
			}
			const line = form === 'exclude' ? excludeLine : deleteLine;
			return groups.map(line).join('\n');
		},
	};
}
