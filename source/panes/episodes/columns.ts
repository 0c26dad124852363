import type {Screen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {EpisodeSort} from '../../contract/local-explore.ts';
import {type MetricName, metricNames, metricOf, metricValue, metricWords} from '../../contract/metrics.ts';
import {grouped, measure, percent, score} from '../../terminal/quantity.ts';
import {reviewLook, suspectReasons, tierLook} from '../list/figure-words.ts';

/** The text of a cell, before it is cut to fit. */
export type CellText = {readonly text: string; readonly role?: Role | undefined};

/** A column of the episode table. */
export type Column = {
	/** Stable name: what is remembered, and what the filter language calls it where it is a field of it. */
	readonly id: string;
	/** The head of the column. */
	readonly label: string;
	/** Its description in the column chooser. */
	readonly description: string;
	readonly align: 'left' | 'right';
	/** Cells, and how eagerly it takes more when there is room; 0 never does. */
	readonly width: number;
	readonly grow: number;
	/** Names that differ at their end are cut in the middle. */
	readonly cut?: 'middle';
	readonly cell: (episode: LakeEpisode, screen: Screen) => CellText;
};

const none: CellText = {text: '', role: 'dim'};

/** The reasons against an episode, worst first; where there are none, why nothing can be told. */
function whyOf(episode: LakeEpisode, {signs}: Screen): CellText {
	const words = suspectReasons(episode);
	if (words.length > 0) return {text: words.join(` ${signs.separator} `), role: 'warning'};
	const note = episode.metrics?.siblings_note;
	return typeof note === 'string' ? {text: note, role: 'dim'} : none;
}

/** A figure of the episode: its own field, or one of its metrics under the name that predicates use. */
function figure(episode: LakeEpisode, field: string): number | bigint | undefined {
	const value = metricValue(episode, field);
	return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}

function text(
	id: string,
	label: string,
	description: string,
	rest: Partial<Column> & Pick<Column, 'cell'>,
): Column {
	return {id, label, description, align: 'left', width: 10, grow: 0, ...rest};
}

/** A column that shows a metric in its own way. */
function ofMetric(name: MetricName, rest: Partial<Column> & Pick<Column, 'cell'>): Column {
	return {...metricColumn(name), ...rest};
}

/** A count as it fits: `1,204`, or `1.8e19` where its digits do not. */
function shortCount(count: number | bigint, width: number): string {
	const whole = grouped(count);
	return whole.length <= width ? whole : Number(count).toExponential(1).replace('e+', 'e');
}

const fixed: readonly Column[] = [
	text('index', '#', 'index of the episode in its dataset', {
		align: 'right',
		width: 5,
		cell: ({episode_index}) => ({text: String(episode_index)}),
	}),
	text('dataset', 'dataset', 'name of the dataset', {
		width: 16,
		grow: 1,
		cut: 'middle',
		cell: ({dataset_name}) => ({text: dataset_name}),
	}),
	text('task', 'task', 'task given to the robot', {
		width: 12,
		grow: 3,
		cell: ({task}) => (task == null ? none : {text: task}),
	}),
	ofMetric('duration_s', {
		align: 'right',
		width: 6,
		cell: ({duration_seconds}) => ({
			text:
				Math.abs(duration_seconds) < 10_000
					? duration_seconds.toFixed(1)
					: shortCount(Math.round(duration_seconds), 6),
		}),
	}),
	ofMetric('frame_count', {
		align: 'right',
		width: 7,
		cell: ({frame_count}) => ({text: shortCount(frame_count, 7)}),
	}),
	ofMetric('quality_score', {
		align: 'right',
		width: 4,
		cell: ({quality_score}) => (quality_score == null ? none : {text: score(quality_score)}),
	}),
	ofMetric('pause_fraction', {
		align: 'right',
		width: 6,
		cell: (episode, {signs}) => {
			const share = figure(episode, 'pause_fraction');
			return share === undefined ? none : {text: `${percent(Number(share))} ${signs.level(Number(share))}`};
		},
	}),
	text('frozen', 'frozen', 'action dims that never move, of all', {
		align: 'right',
		width: 6,
		cell: episode => {
			const still = figure(episode, 'frozen_action_dims');
			const all = figure(episode, 'action_dims');
			if (still === undefined) return none;
			const isWhole = all !== undefined && Number(all) > 0 && Number(still) >= Number(all);
			return {
				text: all === undefined ? grouped(still) : `${grouped(still)}/${grouped(all)}`,
				role: isWhole ? 'bad' : Number(still) === 0 ? 'dim' : 'plain',
			};
		},
	}),
	text('tier', 'tier', 'retrainable or analyze_only', {
		width: 14,
		cell: ({tier}, screen) => tierLook(tier, screen),
	}),
	text('review', 'review', 'review state', {
		width: 18,
		cell: ({review_state}, screen) => reviewLook(review_state, screen),
	}),
	text('interface_hash', 'layout', 'layout: fps and features', {
		width: 14,
		grow: 1,
		cut: 'middle',
		cell: ({interface_hash}) => (interface_hash == null ? none : {text: interface_hash}),
	}),
	text('tags', 'tags', 'tags of the episode', {
		width: 10,
		grow: 1,
		cell: ({tags}) => (tags == null || tags.length === 0 ? none : {text: tags.slice(0, 32).join(', ')}),
	}),
	text('mark', 'R', 'reviewed: kept or rejected', {
		width: 1,
		cell: ({review_state}, {signs}) => {
			if (review_state === 'human_audited') return {text: signs.yes, role: 'good'};
			return review_state === 'rejected' ? {text: signs.no, role: 'bad'} : none;
		},
	}),
	text('why', 'why', 'why the episode is suspect', {
		width: 20,
		grow: 4,
		cell: whyOf,
	}),
	text('doubt', 'oddness', 'distance from its siblings; suspect from 1', {
		align: 'right',
		width: 7,
		cell: episode => {
			const doubt = figure(episode, 'doubt');
			return doubt === undefined
				? none
				: {text: measure(doubt), role: Number(doubt) >= 1 ? 'warning' : 'plain'};
		},
	}),
	text('parent', 'parent', 'index of its parent episode', {
		align: 'right',
		width: 6,
		cell: ({parent_episode_index}) =>
			parent_episode_index == null ? none : {text: String(parent_episode_index)},
	}),
];

/** A column of a metric, known or found in the data. */
function metricColumn(field: string): Column {
	const metric = metricOf(field);
	return text(field, metric?.label ?? field, metric ? metricWords(metric) : `metric ${field}`, {
		align: 'right',
		width: 8,
		cell: episode => {
			const value = figure(episode, field);
			if (value !== undefined) return {text: measure(value)};
			const other = episode.metrics?.[field];
			return typeof other === 'string' || typeof other === 'boolean' ? {text: String(other)} : none;
		},
	});
}

const taken = new Set(fixed.map(({id}) => id));

/** Every column that there always is, in the order that the chooser lists them. */
export const knownColumns: readonly Column[] = [
	...fixed,
	...metricNames.filter(name => !taken.has(name)).map(metricColumn),
];

const byId = new Map(knownColumns.map(column => [column.id, column]));

/** The column of an id; one that is not known is that of a free metric. */
export function columnOf(id: string): Column {
	return byId.get(id) ?? metricColumn(id);
}

/** The columns of a table that no one has changed. */
export const defaultColumns: readonly string[] = [
	'index',
	'dataset',
	'duration_s',
	'quality_score',
	'pause_fraction',
	'frozen',
	'tier',
	'task',
	'review',
	'jerk_mean',
	'sparc',
	'psd_hf_ratio',
	'frame_count',
];

/** The columns while the worst come first. */
const triageColumns: readonly string[] = [
	'index',
	'dataset',
	'duration_s',
	'pause_fraction',
	'quality_score',
	'mark',
	'why',
];

/** Columns left out where room is short: the reasons name them in words. */
const leastOfTriage: ReadonlySet<string> = new Set(['pause_fraction', 'quality_score']);
const roomForTriage = 70;

/**
 * The columns of the table: those chosen, with the reasons besides while the worst come first.
 *
 * @param width of the table, in cells.
 */
export function shownColumns(
	chosen: readonly string[] | undefined,
	sort: EpisodeSort | undefined,
	width: number,
): readonly string[] {
	if (sort === undefined) return chosen ?? defaultColumns;
	const of = sort.by === 'doubt' ? 'why' : sort.by;
	if (chosen !== undefined || of !== 'why') return withColumn(chosen ?? defaultColumns, of);
	return width >= roomForTriage ? triageColumns : triageColumns.filter(id => !leastOfTriage.has(id));
}

/** The column that the episodes are sorted by always shows. */
function withColumn(columns: readonly string[], id: string): readonly string[] {
	return columns.includes(id) ? columns : [...columns.slice(0, 2), id, ...columns.slice(2)];
}
