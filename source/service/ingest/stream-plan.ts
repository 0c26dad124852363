import {type Channel, channelsOf, type FeatureLayout} from '../../lerobot/features.ts';
import type {BookkeepingColumn, WantedFeature} from '../../lerobot/read-data-columns.ts';

/** The columns that are read from every data file, and the order of their channels. */
export type StreamPlan = {
	readonly wanted: readonly WantedFeature[];
	/** The columns whose absence is a fault of the file. */
	readonly expected: readonly BookkeepingColumn[];
	/** Of all wanted features, one after the other. */
	readonly channels: readonly Channel[];
};

export function streamPlan({action, state, telemetry, hasSubtaskIndex}: FeatureLayout): StreamPlan {
	const streams = [
		['action', action ? [action] : []],
		['state', state ? [state] : []],
		['telemetry', telemetry],
	] as const;
	return {
		wanted: streams.flatMap(([stream, features]) => features.map(feature => ({feature, stream}))),
		expected: [
			'episode_index',
			'frame_index',
			'index',
			'task_index',
			'timestamp',
			...(hasSubtaskIndex ? (['subtask_index'] as const) : []),
		],
		channels: streams.flatMap(([stream, features]) => channelsOf(features, stream)),
	};
}
