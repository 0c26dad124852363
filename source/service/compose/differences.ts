import {flatNames, layoutFeatures} from '../../lerobot/features.ts';
import type {DatasetInfo} from '../../lerobot/info.ts';

/** The properties that must agree for episodes of two datasets to lie in one. */
type Described = {
	readonly dataset_name: string;
	readonly robot_type?: string | null | undefined;
	readonly fps?: number | null | undefined;
	readonly features: Readonly<
		Record<
			string,
			{
				readonly dtype?: string | undefined;
				readonly shape?: readonly number[] | undefined;
				readonly names?: unknown;
			}
		>
	>;
};

/** Columns that every dataset has, and that the writer makes anew. */
const ownColumns = new Set([
	'timestamp',
	'frame_index',
	'episode_index',
	'index',
	'task_index',
	'subtask_index',
]);

/** A difference between two datasets: in one feature, or in the dataset as a whole. */
type Difference = {
	readonly feature: string | undefined;
	readonly other: string;
	/** With the other dataset under this name. */
	readonly sentence: (other: string) => string;
};

/** The comparison of datasets whose episodes are to lie in one. */
type Comparison = {
	/**
	 * Why they cannot: differences of the embodiment, each as a sentence that names both datasets, or how many more differ
	 * in the same way.
	 */
	readonly refused: readonly string[];
	/** Further features that are not in all of them, or not alike: they are left out. */
	readonly leftOut: readonly string[];
};

/** Sets datasets beside the first of them. */
export function compareParents([first, ...others]: readonly Described[]): Comparison {
	if (!first) return {refused: [], leftOut: []};
	const embodied = new Set([first, ...others].flatMap(embodiedFeatures));
	const found = others.flatMap(other => differences(first, other));
	const isOfEmbodiment = ({feature}: Difference) => feature === undefined || embodied.has(feature);
	return {
		refused: toldOnce(found.filter(isOfEmbodiment)),
		leftOut: [...new Set(found.filter(each => !isOfEmbodiment(each)).flatMap(({feature}) => feature ?? []))],
	};
}

/** Datasets of one embodiment all differ from the first in the same way: one sentence covers them all. */
function toldOnce(found: readonly Difference[]): string[] {
	const alike = Map.groupBy(found, ({sentence}) => sentence(''));
	return [...alike.values()].flatMap(([one, ...further]) => {
		if (one === undefined) return [];
		return [one.sentence(further.length === 0 ? one.other : `${one.other} (and ${further.length} more)`)];
	});
}

/** Action, state and cameras: what a policy is made for. */
function embodiedFeatures({features}: Described): string[] {
	const declared = Object.entries(features).map(([key, {dtype = '', shape = [], names}]) => [
		key,
		{dtype, shape: [...shape], names},
	]);
	const {action, state, cameras} = layoutFeatures(Object.fromEntries(declared) as DatasetInfo['features']);
	return [...[action, state].flatMap(feature => feature?.key ?? []), ...cameras];
}

function differences(one: Described, other: Described): Difference[] {
	const found: Difference[] = [];
	const add = (feature: string | undefined, sentence: Difference['sentence']) =>
		found.push({feature, other: other.dataset_name, sentence});
	const compare = (what: string, feature: string | undefined, a: unknown, b: unknown) => {
		const [here, there] = [said(a), said(b)];
		if (here === there) return;
		add(feature, name => `${what} is ${here} in ${one.dataset_name} and ${there} in ${name}`);
	};
	compare('robot_type', undefined, one.robot_type, other.robot_type);
	compare('fps', undefined, one.fps, other.fps);
	const keys = new Set([...Object.keys(one.features), ...Object.keys(other.features)]);
	for (const key of keys) {
		if (ownColumns.has(key)) continue;
		const [a, b] = [one.features[key], other.features[key]];
		if (!a || !b) {
			add(key, name => {
				const [has, lacks] = a ? [one.dataset_name, name] : [name, one.dataset_name];
				return `${has} has a feature "${key}" and ${lacks} has none`;
			});
			continue;
		}
		compare(`the dtype of "${key}"`, key, a.dtype, b.dtype);
		compare(`the shape of "${key}"`, key, a.shape, b.shape);
		// Vectors of another length have other names anyhow; of cameras names say how a picture lies in memory.
		if (said(a.shape) !== said(b.shape) || a.dtype === 'video' || a.dtype === 'image') continue;
		const sentence = namesDiffer(key, [flatNames(a.names), one.dataset_name], flatNames(b.names));
		if (sentence !== undefined) add(key, sentence);
	}
	return found;
}

/** The first of the names that differ, and their number: two lists of thirty joints are too long to read. */
function namesDiffer(
	key: string,
	[here, one]: readonly [readonly string[], string],
	there: readonly string[],
): Difference['sentence'] | undefined {
	const length = Math.max(here.length, there.length);
	const [at, ...further] = Array.from({length}, (_, place) => place).filter(
		place => here[place] !== there[place],
	);
	if (at === undefined) return undefined;
	const more = further.length === 0 ? '' : `, and ${further.length} more of ${length} differ`;
	return other =>
		`the name ${at + 1} of "${key}" is ${said(here[at])} in ${one} and ${said(there[at])} in ${other}${more}`;
}

function said(value: unknown): string {
	return value === undefined || value === null ? 'not said' : JSON.stringify(value);
}
