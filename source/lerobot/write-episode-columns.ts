import {
	BIGINT,
	DOUBLE,
	DuckDBDataChunk,
	type DuckDBType,
	type DuckDBValue,
	INTEGER,
	LIST,
	listValue,
	VARCHAR,
} from '@duckdb/node-api';
import type {FrameColumn} from './write-columns.ts';
import {
	cameraKeys,
	type DatasetToWrite,
	type EpisodeToWrite,
	type MarkerForm,
	type Subtask,
	type VideoSpan,
	videoKeys,
} from './write-description.ts';
import type {FilePlace} from './write-parquet-files.ts';
import {type FeatureStats, type StatName, statNames} from './write-stats.ts';

/** One episode's row in `meta/episodes`. */
export type EpisodeFacts = {
	readonly episode: EpisodeToWrite;
	readonly episodeIndex: number;
	/** The global index of the first frame. */
	readonly fromIndex: number;
	readonly data: FilePlace;
	readonly meta: FilePlace;
	readonly stats: ReadonlyMap<string, FeatureStats>;
};

/** A column of `meta/episodes` and how an episode fills it. */
export type EpisodeColumn = {
	readonly name: string;
	readonly type: DuckDBType;
	readonly value: (facts: EpisodeFacts) => DuckDBValue;
};

/** The columns of `meta/episodes`, in the reference's order, our own at the end. */
export function episodeColumns(
	dataset: DatasetToWrite,
	frameColumns: readonly FrameColumn[],
): EpisodeColumn[] {
	return [
		{name: 'episode_index', type: BIGINT, value: facts => BigInt(facts.episodeIndex)},
		{name: 'tasks', type: LIST(VARCHAR), value: facts => listValue([...facts.episode.tasks])},
		{name: 'length', type: BIGINT, value: facts => BigInt(facts.episode.length)},
		{name: 'data/chunk_index', type: BIGINT, value: facts => BigInt(facts.data.chunkIndex)},
		{name: 'data/file_index', type: BIGINT, value: facts => BigInt(facts.data.fileIndex)},
		{name: 'dataset_from_index', type: BIGINT, value: facts => BigInt(facts.fromIndex)},
		{name: 'dataset_to_index', type: BIGINT, value: facts => BigInt(facts.fromIndex + facts.episode.length)},
		...videoKeys(dataset.features).flatMap(videoColumns),
		...frameColumns.filter(isNumeric).flatMap(statColumns),
		...cameraKeys(dataset.features).flatMap(cameraStatColumns),
		{name: 'meta/episodes/chunk_index', type: BIGINT, value: facts => BigInt(facts.meta.chunkIndex)},
		{name: 'meta/episodes/file_index', type: BIGINT, value: facts => BigInt(facts.meta.fileIndex)},
		...(dataset.markers ?? []).flatMap(form => (form === 'frame' ? [] : markerColumns(form, dataset.fps))),
		...(dataset.lineage ? lineageColumns : []),
		...(dataset.tags ? [tagsColumn] : []),
	];
}

/** Rows of `meta/episodes` as a chunk. */
export function episodeChunk(
	columns: readonly EpisodeColumn[],
	rows: readonly EpisodeFacts[],
): DuckDBDataChunk {
	const chunk = DuckDBDataChunk.create(
		columns.map(column => column.type),
		rows.length,
	);
	for (const [place, column] of columns.entries()) chunk.setColumnValues(place, rows.map(column.value));
	return chunk;
}

function videoColumns(key: string): EpisodeColumn[] {
	const of =
		(value: (span: VideoSpan) => DuckDBValue) =>
		({episode}: EpisodeFacts): DuckDBValue => {
			const span = episode.videos[key];
			return span ? value(span) : null;
		};
	return [
		{name: `videos/${key}/chunk_index`, type: BIGINT, value: of(span => BigInt(span.chunkIndex))},
		{name: `videos/${key}/file_index`, type: BIGINT, value: of(span => BigInt(span.fileIndex))},
		{name: `videos/${key}/from_timestamp`, type: DOUBLE, value: of(span => span.fromTimestamp)},
		{name: `videos/${key}/to_timestamp`, type: DOUBLE, value: of(span => span.toTimestamp)},
	];
}

function statColumns({name, dtype}: FrameColumn): EpisodeColumn[] {
	const whole = dtype.includes('int');
	return statNames.map(stat => {
		const integer = stat === 'count' || (whole && (stat === 'min' || stat === 'max'));
		return {
			name: statColumn(name, stat),
			type: LIST(integer ? BIGINT : DOUBLE),
			value: facts => listValue(statItems(facts, name, stat, integer)),
		};
	});
}

/** True if a column holds numbers, of which there are statistics. */
export const isNumeric = ({dtype}: Pick<FrameColumn, 'dtype'>): boolean =>
	dtype !== 'string' && dtype !== 'image' && dtype !== 'language';

/** The name of a statistic's column. */
export const statColumn = (feature: string, stat: StatName): string => `stats/${feature}/${stat}`;

/** A camera's have a list a channel, of one list of one number: a picture of one pixel, as LeRobot has it. */
function cameraStatColumns(camera: string): EpisodeColumn[] {
	return statNames.map(stat => ({
		name: statColumn(camera, stat),
		type: stat === 'count' ? LIST(BIGINT) : LIST(LIST(LIST(DOUBLE))),
		value: facts => {
			const items = facts.stats.get(camera)?.[stat] ?? [];
			if (items.length === 0 || items.includes(null)) return null;
			if (stat === 'count') return listValue(items.map(item => BigInt(Math.round(item ?? 0))));
			return listValue(items.map(item => listValue([listValue([item])])));
		},
	}));
}

function statItems(facts: EpisodeFacts, name: string, stat: StatName, integer: boolean): DuckDBValue[] {
	const items = facts.stats.get(name)?.[stat] ?? [];
	return items.map(item => (integer && item !== null ? BigInt(item) : item));
}

function markerColumns(form: Exclude<MarkerForm, 'frame'>, fps: number): EpisodeColumn[] {
	const list =
		(item: (subtask: Subtask) => DuckDBValue) =>
		({episode}: EpisodeFacts): DuckDBValue => {
			const subtasks = episode.subtasks?.[form];
			return subtasks ? listValue(subtasks.map(item)) : null;
		};
	return [
		{name: `${form}_subtask_names`, type: LIST(VARCHAR), value: list(subtask => subtask.name)},
		{
			name: `${form}_subtask_start_frames`,
			type: LIST(BIGINT),
			value: list(({startFrame}) => BigInt(startFrame)),
		},
		{name: `${form}_subtask_end_frames`, type: LIST(BIGINT), value: list(({endFrame}) => BigInt(endFrame))},
		{
			name: `${form}_subtask_start_times`,
			type: LIST(DOUBLE),
			value: list(({startFrame}) => startFrame / fps),
		},
		{name: `${form}_subtask_end_times`, type: LIST(DOUBLE), value: list(({endFrame}) => endFrame / fps)},
	];
}

const lineageColumns: readonly EpisodeColumn[] = [
	{
		name: 'lakescope/parent_dataset',
		type: VARCHAR,
		value: ({episode}) => episode.lineage?.parentDataset ?? null,
	},
	{
		name: 'lakescope/parent_episode_index',
		type: INTEGER,
		value: ({episode}) => episode.lineage?.parentEpisodeIndex ?? null,
	},
	{
		name: 'lakescope/member_ordinal',
		type: INTEGER,
		value: ({episode}) => episode.lineage?.memberOrdinal ?? null,
	},
];

const tagsColumn: EpisodeColumn = {
	name: 'lakescope/tags',
	type: LIST(VARCHAR),
	value: ({episode}) => listValue([...(episode.tags ?? [])]),
};
