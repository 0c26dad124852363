import fc from 'fast-check';
import type {ExploreRequest} from '../../../source/contract/explore.ts';
import type {ExploreQuestion} from '../../../source/contract/local-explore.ts';
import {heldMetrics} from '../../../source/contract/metrics.ts';
import {
	aggregates,
	comparisons,
	lineages,
	numericFields,
	reviewStates,
	streams,
	tiers,
} from '../../../source/contract/vocabulary.ts';
import {type ModelChannel, type ModelDataset, type ModelEpisode, uuidOf} from './lake-model.ts';

/** Few values, so that filters meet episodes; among them those that a careless comparison gets wrong. */
const tasks = [
	'fold the towel',
	'Fold the Towel',
	'wipe',
	'',
	'İstanbul 50%_',
	'ΣΑΣ',
	'z\u0000z',
	'😀',
	'\uffff',
];
const tags = ['good', 'Good', 'a_b', 'a%b', '', 'ß'];
const markers = ['reach > grasp', 'reach', '😀 > \uffff'];
const interfaces = ['so101-30hz-3f9a', 'aloha-50hz-77aa'];
const robots = ['so101_follower', 'SO101_follower', 'aloha', ''];
const names = ['so101-fold', 'SO101-fold', 'aloha.cups', 'b', 'a_', 'a-'];
const channelNames = ['gripper.pos', 'Gripper.pos'];
const numbers = [0, -0, 0.5, 1, 3, -2.25, 1e308, -1e308, 5e-324, 2 ** 53];
const measured = [...numbers, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

const of = <Value>(values: readonly Value[]) => fc.constantFrom(...values);

/** An episode's channels are drawn from these, so that names lie in other places from dataset to dataset. */
const channelKinds: fc.Arbitrary<Array<Omit<ModelChannel, 'max' | 'min' | 'mean' | 'std'>>> = fc.uniqueArray(
	fc.record({
		stream: of(streams),
		channel: of(channelNames),
		native_channel: of(['action.a', 'action.b', 'state.a']),
		native_index: fc.integer({min: 0, max: 6}),
	}),
	{minLength: 4, maxLength: 8, selector: kind => `${kind.stream} ${kind.channel} ${kind.native_index}`},
);

function episodeOf(
	index: number,
	datasetNumber: number,
	kinds: readonly Omit<ModelChannel, 'max' | 'min' | 'mean' | 'std'>[],
) {
	return fc
		.record({
			task: fc.option(of(tasks)),
			tier: fc.option(of(tiers)),
			frame_count: fc.oneof(fc.bigInt({min: 0n, max: 900n}), of([2n ** 53n + 1n, 2n ** 58n])),
			duration_s: fc.integer({min: 0, max: 400}).map(quarters => quarters / 4),
			quality_score: fc.option(of([0, 0.5, 1])),
			review_state: of(reviewStates),
			marker_signature: fc.option(of(markers)),
			tags: fc.subarray(tags, {maxLength: 3}),
			parent: fc.option(fc.record({name: of(names), index: fc.integer({min: 0, max: 8})}), {freq: 2}),
			numbers: fc.dictionary(of([...heldMetrics, 'doubt']), of(measured), {
				minKeys: 6,
				noNullPrototype: true,
			}),
			present: fc.subarray([...kinds], {minLength: Math.ceil(kinds.length / 2)}),
			values: fc.array(of(measured), {minLength: 4 * kinds.length, maxLength: 4 * kinds.length}),
		})
		.map(({parent, present, values, ...plain}): ModelEpisode => {
			const value = (place: number) => values[place] ?? 0;
			return {
				...plain,
				episode_index: index,
				episode_id: uuidOf(datasetNumber + 1, index),
				revision: index.toString(16).padStart(64, 'c'),
				parent_dataset: parent?.name ?? null,
				parent_episode_index: parent?.index ?? null,
				member_ordinal: parent ? BigInt(index) : null,
				details: null,
				channels: present.map((kind, place) => ({
					...kind,
					max: value(4 * place),
					min: value(4 * place + 1),
					mean: value(4 * place + 2),
					std: value(4 * place + 3),
				})),
			};
		});
}

function datasetOf(name: string, number: number): fc.Arbitrary<ModelDataset> {
	return fc
		.record({
			interface_hash: fc.option(of(interfaces), {freq: 4}),
			robot_type: fc.option(of(robots), {freq: 4}),
			indices: fc.uniqueArray(fc.integer({min: 0, max: 12}), {maxLength: 8}),
			kinds: channelKinds,
		})
		.chain(({interface_hash, robot_type, indices, kinds}) =>
			fc.tuple(...indices.map(index => episodeOf(index, number, kinds))).map(episodes => ({
				dataset_id: uuidOf(0xd, number),
				dataset_name: name,
				interface_hash,
				robot_type,
				episodes,
			})),
		);
}

/** A lake of up to four datasets. */
export const arbitraryLake: fc.Arbitrary<ModelDataset[]> = fc
	.uniqueArray(fc.integer({min: 0, max: names.length - 1}), {minLength: 1, maxLength: 4})
	.chain(numbers => fc.tuple(...numbers.map(number => datasetOf(names[number] ?? '', number))));

const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, {nil: undefined, freq: 2});
const seldom = <Value>(value: fc.Arbitrary<Value>) =>
	fc.oneof({weight: 5, arbitrary: fc.constant(undefined)}, {weight: 1, arbitrary: value});

const page = {
	order_desc: some(fc.boolean()),
	limit: some(fc.integer({min: 1, max: 12})),
	offset: some(fc.oneof({weight: 2, arbitrary: fc.constant(0)}, fc.integer({min: 1, max: 12}))),
};

const channelPredicate = fc.record({
	stream: of(streams),
	channel: fc.oneof({weight: 9, arbitrary: of(channelNames)}, fc.constant('absent')),
	agg: of(aggregates),
	op: of(comparisons),
	value: of(numbers),
});

const filters = {
	tasks: seldom(fc.subarray([...tasks, 'absent'])),
	tiers: seldom(fc.subarray(['' as const, ...tiers])),
	interface_hashes: seldom(fc.subarray([...interfaces, 'absent'])),
	tags: seldom(fc.subarray([...tags, 'absent'], {maxLength: 2})),
	marker_signatures: seldom(fc.subarray([...markers, 'absent'])),
	review_state: seldom(of(['' as const, ...reviewStates])),
	dataset_ids: seldom(
		fc.subarray([...names.map((_, number) => uuidOf(0xd, number).toUpperCase()), 'no uuid'], {minLength: 1}),
	),
	episode_index: seldom(fc.integer({min: 0, max: 4})),
	lineage: seldom(of(['' as const, ...lineages])),
	parent_episode_index: seldom(fc.integer({min: 0, max: 4})),
	search: seldom(of(['fold', 'FOLD', '%', '_', 'i', 'σασ', '\u0000', 'Good', 'aloha', 'ss', '😀'])),
	numeric_predicates: seldom(
		fc.array(fc.record({field: of(numericFields), op: of(comparisons), value: of(numbers)}), {maxLength: 2}),
	),
};

/** A request that asks for some of what such lakes hold, and for some that they do not. */
export const arbitraryRequest: fc.Arbitrary<ExploreRequest> = fc
	.oneof(
		{weight: 2, arbitrary: fc.record({...page, ...filters})},
		{
			weight: 1,
			arbitrary: fc.record({
				...page,
				tasks: filters.tasks,
				channel_predicates: fc.array(channelPredicate, {minLength: 1, maxLength: 2}),
			}),
		},
	)
	.map(request => Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)));

const robotTypes = seldom(fc.subarray([...robots, 'absent'], {minLength: 1}));

const without = fc
	.record({
		tasks: filters.tasks,
		tiers: filters.tiers,
		interface_hashes: filters.interface_hashes,
		robot_types: robotTypes,
		tags: filters.tags,
		marker_signatures: filters.marker_signatures,
		dataset_ids: filters.dataset_ids,
		review_states: seldom(fc.subarray([...reviewStates], {minLength: 1, maxLength: 2})),
	})
	.map(lists => Object.fromEntries(Object.entries(lists).filter(([, values]) => values !== undefined)));

/** A request that also leaves some of what such lakes hold out, and filters by facets of our own. */
export const arbitraryQuestion: fc.Arbitrary<ExploreQuestion> = fc
	.record({request: arbitraryRequest, robots: robotTypes, not: without})
	.map(({request, robots: robot_types, not}) => ({...request, ...(robot_types && {robot_types}), not}));
