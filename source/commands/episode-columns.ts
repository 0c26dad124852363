import type {LakeEpisode} from '../contract/episode.ts';
import {reviewWords} from '../contract/vocabulary.ts';
import {score} from '../terminal/quantity.ts';
import type {Column} from './table.ts';

/** The table for people. */
export const tableColumns: readonly Column[] = [
	{title: 'dataset', least: 8},
	{title: '#', align: 'right'},
	{title: 's', align: 'right'},
	{title: 'frames', align: 'right'},
	{title: 'Q', align: 'right'},
	{title: 'tier', least: 6},
	{title: 'review', least: 6},
	{title: 'task', least: 8},
];

export function tableRow(episode: LakeEpisode): readonly string[] {
	return [
		episode.dataset_name,
		String(episode.episode_index),
		episode.duration_seconds.toFixed(1),
		String(episode.frame_count),
		episode.quality_score == null ? '—' : score(episode.quality_score),
		episode.tier || '—',
		reviewWords(episode.review_state),
		episode.task === '' ? '(empty)' : (episode.task ?? '—'),
	];
}
