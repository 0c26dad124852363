import type {LakeEpisode} from '../../contract/episode.ts';
import {numericFields} from '../../contract/vocabulary.ts';

const plainFields = [
	'episode_id',
	'dataset_id',
	'dataset_name',
	'episode_index',
	'task',
	'tier',
	'frame_count',
	'duration_seconds',
	'quality_score',
	'interface_hash',
	'review_state',
	'dataset_version_id',
	'parent_episode_id',
	'parent_episode_index',
	'member_ordinal',
	'episode_revision_id',
	'thumb_url',
] as const satisfies readonly (keyof LakeEpisode)[];

/** The numeric fields that an episode carries among its metrics rather than as fields of its own. */
const metricFields = numericFields.filter(
	field => !['duration_s', 'frame_count', 'quality_score'].includes(field),
);

/** The columns of the CSV form: every field, every documented metric, and the tags and other metrics as JSON. */
export const csvColumns: readonly string[] = [...plainFields, 'tags', ...metricFields, 'other_metrics'];

function csvCell(value: unknown): string {
	if (value === undefined || value === null) return '';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of CSV as RFC 4180 has it, without its line end. */
export const csvLine = (cells: readonly unknown[]): string => cells.map(csvCell).join(',');

export function csvRow(episode: LakeEpisode): readonly unknown[] {
	const metrics = episode.metrics ?? {};
	const others = Object.entries(metrics).filter(
		([name]) => !(metricFields as readonly string[]).includes(name),
	);
	return [
		...plainFields.map(field => episode[field]),
		episode.tags,
		...metricFields.map(field => metrics[field]),
		others.length > 0 ? Object.fromEntries(others) : undefined,
	];
}
