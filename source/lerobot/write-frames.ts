import {type FrameColumn, frameColumn} from './write-columns.ts';
import type {DatasetToWrite, EpisodeToWrite, FrameValues, Subtask} from './write-description.ts';
import type {Names} from './write-names.ts';

/** The features that every dataset has beside its robot's own. */
const ownFeatures = {
	timestamp: {dtype: 'float32', shape: [1], names: null},
	frame_index: {dtype: 'int64', shape: [1], names: null},
	episode_index: {dtype: 'int64', shape: [1], names: null},
	index: {dtype: 'int64', shape: [1], names: null},
	task_index: {dtype: 'int64', shape: [1], names: null},
} as const;

const subtaskFeature = {subtask_index: {dtype: 'int64', shape: [1], names: null}} as const;

/** All features of the dataset, as `info.json` lists them. */
export function allFeatures({features, markers}: DatasetToWrite): Record<string, object> {
	return {...features, ...ownFeatures, ...(markers?.includes('frame') ? subtaskFeature : {})};
}

/** The columns of the data files: the robot's features, then the ones every dataset has. */
export function frameColumns(dataset: DatasetToWrite): FrameColumn[] {
	const own = {...ownFeatures, ...(dataset.markers?.includes('frame') ? subtaskFeature : {})};
	return [
		...Object.entries(dataset.features)
			.filter(([, feature]) => feature.dtype !== 'video')
			.map(([name, {dtype, shape}]) => frameColumn(name, dtype, dtype === 'image' ? 1 : (shape[0] ?? 1))),
		...Object.entries(own).map(([name, feature]) => frameColumn(name, feature.dtype, 1)),
	];
}

type Position = {
	readonly episodeIndex: number;
	/** The global index of the episode's first frame. */
	readonly fromIndex: number;
	readonly fps: number;
	readonly tasks: Names;
	readonly subtasks: Names;
};

/**
 * The values of an episode's columns, in the order of {@link frameColumns}.
 *
 * @throws {Error} that says which feature is missing or has too few or too many values.
 */
export function frameValues(
	columns: readonly FrameColumn[],
	episode: EpisodeToWrite,
	position: Position,
): FrameValues[] {
	const {length, tasks} = episode;
	if (!(Number.isInteger(length) && length > 0))
		throw new Error(`it has ${length} frames; it needs at least one`);
	if (tasks.length === 0) throw new Error('it has no task');
	const own: Record<string, FrameValues> = {
		timestamp: episode.timestamps ?? Float32Array.from({length}, (_, frame) => frame / position.fps),
		frame_index: ramp(0, length),
		episode_index: new BigInt64Array(length).fill(BigInt(position.episodeIndex)),
		index: ramp(position.fromIndex, length),
		task_index: taskNumbers(episode, position.tasks),
		subtask_index: subtaskNumbers(episode.subtasks?.frame ?? [], length, position.subtasks),
	};
	return columns.map(({name, width}) => {
		const values = own[name] ?? episode.values[name];
		if (!values) throw new Error(`it has no values for the feature "${name}"`);
		if (values.length !== length * width) {
			throw new Error(
				`its feature "${name}" has ${values.length} values instead of ${length} frames × ${width}`,
			);
		}
		return values;
	});
}

function ramp(from: number, length: number): BigInt64Array {
	const values = new BigInt64Array(length);
	for (let frame = 0; frame < length; frame++) values[frame] = BigInt(from + frame);
	return values;
}

function taskNumbers({tasks, taskOfFrame, length}: EpisodeToWrite, names: Names): BigInt64Array {
	const numbers = tasks.map(task => BigInt(names.number(task)));
	const values = new BigInt64Array(length).fill(numbers[0] ?? 0n);
	for (const [frame, place] of taskOfFrame?.entries() ?? []) {
		const number = numbers[place];
		if (number === undefined)
			throw new Error(`its frame ${frame} belongs to task ${place} of ${tasks.length}`);
		values[frame] = number;
	}
	return values;
}

/** Frames outside every subtask are −1, as the visualizers read it. */
function subtaskNumbers(subtasks: readonly Subtask[], length: number, names: Names): BigInt64Array {
	const values = new BigInt64Array(length).fill(-1n);
	for (const {name, startFrame, endFrame} of subtasks) {
		values.fill(BigInt(names.number(name)), startFrame, endFrame + 1);
	}
	return values;
}
