import {BIGINT, DOUBLE, type DuckDBValue, FLOAT, LIST, listValue, VARCHAR} from '@duckdb/node-api';
import {type FixtureEpisode, type FixtureOptions, jointNames} from './lerobot-fixture.ts';
import type {Column} from './parquet.ts';

export const framesOf = (episode: FixtureEpisode): number => episode.frames ?? 60;
export const tasksOf = (episode: FixtureEpisode): string[] => episode.tasks ?? ['pick the cube'];
export const namesOf = (options: FixtureOptions): string[] => options.names ?? jointNames;
export const fpsOf = (options: FixtureOptions): number => options.fps ?? 30;

function defaultAction(at: number): (frame: number, dim: number) => number {
	return (frame, dim) => (20 + dim) * Math.sin((frame * (dim + 1)) / 25 + at);
}

/** The columns of a data file. */
export function frameColumnsOf(options: FixtureOptions, episodes: readonly FixtureEpisode[]): Column[] {
	return [
		[options.actionKey ?? 'action', LIST(FLOAT)],
		[options.stateKey ?? 'observation.state', LIST(FLOAT)],
		...Object.entries(options.telemetry ?? {}).map(
			([key, dims]): Column => [key, dims === 1 ? FLOAT : LIST(FLOAT)],
		),
		['timestamp', FLOAT],
		['frame_index', BIGINT],
		['episode_index', BIGINT],
		['index', BIGINT],
		['task_index', BIGINT],
		...(episodes.some(({subtask}) => subtask) ? ([['subtask_index', BIGINT]] as const) : []),
	];
}

/** A row of a data file. */
export function frameRow(
	options: FixtureOptions,
	episodes: readonly FixtureEpisode[],
	at: number,
	frame: number,
	index: number,
	tasks: readonly string[],
): DuckDBValue[] {
	const episode = episodes[at] ?? {};
	const action = episode.action ?? defaultAction(at);
	const state = episode.state ?? ((of, dim) => action(Math.max(0, of - 2), dim));
	const vector = (value: (frame: number, dim: number) => number, dims: number) =>
		listValue(Array.from({length: dims}, (_, dim) => value(frame, dim)));
	const telemetry = episode.telemetry ?? (() => 0);
	return [
		vector(action, namesOf(options).length),
		vector(state, namesOf(options).length),
		...Object.entries(options.telemetry ?? {}).map(([key, dims]) =>
			dims === 1 ? telemetry(key, frame, 0) : vector((of, dim) => telemetry(key, of, dim), dims),
		),
		(episode.timestamp ?? (of => of / fpsOf(options)))(frame),
		BigInt(frame),
		BigInt(at),
		BigInt(index),
		BigInt(tasks.indexOf(tasksOf(episode)[0] ?? '')),
		...(episodes.some(({subtask}) => subtask) ? [BigInt(episode.subtask?.(frame) ?? -1)] : []),
	];
}

/** The columns of `meta/episodes`. */
export function episodeColumnsOf(options: FixtureOptions, episodes: readonly FixtureEpisode[]): Column[] {
	const video = ['chunk_index', 'file_index', 'from_timestamp', 'to_timestamp'] as const;
	return [
		['episode_index', BIGINT],
		['tasks', LIST(VARCHAR)],
		['length', BIGINT],
		['data/chunk_index', BIGINT],
		['data/file_index', BIGINT],
		['dataset_from_index', BIGINT],
		['dataset_to_index', BIGINT],
		...(options.cameras ?? []).flatMap(camera =>
			video.map((name): Column => [`videos/${camera}/${name}`, name.endsWith('index') ? BIGINT : DOUBLE]),
		),
		...markerFamilies(episodes).flatMap((family): Column[] => [
			[`${family}_subtask_names`, LIST(VARCHAR)],
			[`${family}_subtask_start_frames`, LIST(BIGINT)],
		]),
		...(episodes.some(({tags}) => tags) ? ([['lakescope/tags', LIST(VARCHAR)]] as const) : []),
		...(episodes.some(({parent}) => parent)
			? ([
					['lakescope/parent_dataset', VARCHAR],
					['lakescope/parent_episode_index', BIGINT],
					['lakescope/member_ordinal', BIGINT],
				] as const)
			: []),
	];
}

/** A row of `meta/episodes`. */
export function episodeRow(
	options: FixtureOptions,
	episodes: readonly FixtureEpisode[],
	at: number,
	file: number,
	index: number,
): DuckDBValue[] {
	const episode = episodes[at] ?? {};
	const length = episode.length ?? framesOf(episode);
	const seconds = framesOf(episode) / fpsOf(options) + (episode.videoSkew ?? 0);
	const start = options.videosInRow ? index / fpsOf(options) : 1;
	const {markers, tags, parent} = episode;
	return [
		BigInt(at),
		listValue(tasksOf(episode)),
		BigInt(length),
		0n,
		BigInt(file),
		BigInt(index),
		BigInt(index + length),
		...(options.cameras ?? []).flatMap(() => [0n, 0n, start, start + seconds]),
		...markerFamilies(episodes).flatMap(family => {
			if (!markers || (markers.family ?? 'sparse') !== family) return [null, null];
			return [listValue(markers.names), listValue(markers.startFrames.map(BigInt))];
		}),
		...(episodes.some(other => other.tags) ? [tags ? listValue(tags) : null] : []),
		...(episodes.some(other => other.parent)
			? [
					parent?.dataset ?? null,
					parent ? BigInt(parent.episodeIndex) : null,
					parent ? BigInt(parent.ordinal) : null,
				]
			: []),
	];
}

function markerFamilies(episodes: readonly FixtureEpisode[]): ('sparse' | 'dense')[] {
	return [...new Set(episodes.flatMap(({markers}) => (markers ? [markers.family ?? 'sparse'] : [])))];
}
