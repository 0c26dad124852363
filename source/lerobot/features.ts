import type {DatasetInfo, Feature} from './info.ts';

/** A numeric feature in a data file: `dims` numbers a frame, each with its channel's name. */
export type NumericFeature = {
	/** The feature's key, which is its column's name. */
	readonly key: string;
	readonly dtype: string;
	readonly shape: readonly number[];
	readonly dims: number;
	/** One name a dimension, unique in the feature: the dataset's own, or the index where it has none. */
	readonly names: readonly string[];
	/** The names as the dataset spells them; undefined where it names no dimension. */
	readonly spelled: readonly string[] | undefined;
};

export type StreamName = 'action' | 'state' | 'telemetry';

export type Channel = {
	readonly stream: StreamName;
	/** Unique within its stream. */
	readonly name: string;
	/** Its name as the dataset spells it. Where it has none: `FEATURE.INDEX`, or `FEATURE` for a scalar. */
	readonly nativeName: string;
	/** Its place in the feature's vector. */
	readonly nativeIndex: number;
};

/** The features of a dataset by kind. */
export type FeatureLayout = {
	readonly action: NumericFeature | undefined;
	readonly state: NumericFeature | undefined;
	readonly telemetry: readonly NumericFeature[];
	/** Keys of the image features, as `info.json` orders them. */
	readonly cameras: readonly string[];
	/** True if every frame carries a subtask. */
	readonly hasSubtaskIndex: boolean;
};

/** Usual names of action and state, the most common first. */
export const usualNames: Readonly<Record<StreamName, readonly string[]>> = {
	action: ['action', 'actions'],
	state: ['observation.state', 'state', 'observation.states', 'states'],
	telemetry: [],
};

/** Columns that every dataset has; they describe the frame, not the robot. */
const bookkeeping = new Set([
	'timestamp',
	'frame_index',
	'episode_index',
	'index',
	'task_index',
	'subtask_index',
]);

const numeric = /^(bool|u?int(8|16|32|64)|b?float(16|32|64))$/;
const image = new Set(['image', 'video']);

/** Dimensions a feature may have: beyond it, it is no vector of channels but a picture or a map. */
const maxDims = 4096;

/** The interface's bound on a channel's name. */
const maxChannelLength = 512;

const maxNameLength = maxChannelLength - 16;

/** @see FeatureLayout */
export function layoutFeatures(features: DatasetInfo['features']): FeatureLayout {
	const vectors = Object.entries(features).flatMap(([key, feature]) => numericFeature(key, feature) ?? []);
	const action = pick(vectors, usualNames.action, /(^|[._/])actions?([._/]|$)/i);
	const rest = vectors.filter(vector => vector !== action);
	const state = pick(rest, usualNames.state, /(^|[._/])(states?|qpos|proprio|joint_positions?)([._/]|$)/i);
	return {
		action,
		state,
		telemetry: rest.filter(vector => vector !== state),
		cameras: Object.keys(features).filter(key => image.has(features[key]?.dtype ?? '')),
		hasSubtaskIndex: 'subtask_index' in features,
	};
}

function numericFeature(key: string, {dtype, shape, names}: Feature): NumericFeature | undefined {
	if (bookkeeping.has(key) || !numeric.test(dtype)) return undefined;
	const dims = shape.reduce((product, length) => product * length, 1);
	if (dims < 1 || dims > maxDims) return undefined;
	const flat = flatNames(names);
	const spelled = flat.length === dims ? flat : undefined;
	return {key, dtype, shape, dims, names: channelNames(spelled, dims), spelled};
}

/** The usual names first; else the first vector whose name has the word in it. */
function pick(
	vectors: readonly NumericFeature[],
	usual: readonly string[],
	word: RegExp,
): NumericFeature | undefined {
	for (const name of usual) {
		const vector = vectors.find(({key}) => key === name);
		if (vector) return vector;
	}
	return vectors.find(({key, dims}) => dims > 1 && word.test(key)) ?? vectors.find(({key}) => word.test(key));
}

/**
 * The names of a feature's dimensions. `names` occurs as null, a flat list, a nested list and an object of
 * lists; names that are missing, too few or doubled are replaced by the index.
 */
function channelNames(spelled: readonly string[] | undefined, dims: number): string[] {
	const seen = new Set<string>();
	return Array.from({length: dims}, (_, index) => {
		const given = spelled?.[index]?.slice(0, maxNameLength);
		const name = given || String(index);
		const unique = seen.has(name) ? `${name}#${index}` : name;
		seen.add(unique);
		return unique;
	});
}

/** The names of a feature's dimensions, one after the other, however the dataset nests them; none for null. */
export function flatNames(names: unknown): string[] {
	if (typeof names === 'string') return [names];
	if (typeof names === 'number') return [String(names)];
	if (typeof names !== 'object' || names === null) return [];
	const byName = Object.entries(names);
	// {"shoulder": 0, "elbow": 1}: the names are the keys.
	if (!Array.isArray(names) && byName.every(([, value]) => typeof value === 'number')) {
		return byName.sort(([, a], [, b]) => (a as number) - (b as number)).map(([name]) => name);
	}
	return Object.values(names).flatMap(flatNames);
}

/** The channels of a stream's features, feature after feature in the order of their vectors. */
export function channelsOf(features: readonly NumericFeature[], stream: StreamName): Channel[] {
	const seen = new Set<string>();
	return features.flatMap(feature =>
		feature.names.map((name, nativeIndex) => {
			const ofFeature = feature.dims === 1 && name === '0' ? feature.key : `${feature.key}.${name}`;
			const full = ofFeature.slice(0, maxChannelLength);
			const nativeName = feature.spelled?.[nativeIndex]?.slice(0, maxChannelLength) || full;
			// Several features share the telemetry stream: a name is unique there only together with its feature.
			let unique = stream === 'telemetry' ? full : name;
			if (seen.has(unique)) unique = `${unique.slice(0, maxChannelLength - 16)}#${seen.size}`;
			seen.add(unique);
			return {stream, name: unique, nativeName, nativeIndex};
		}),
	);
}
