import fc from 'fast-check';
import {metricNames} from '../../source/contract/metrics.ts';
import {
	aggregates,
	comparisons,
	lineages,
	reviewStates,
	streams,
	tiers,
} from '../../source/contract/vocabulary.ts';
import type {Filter, LeftOutValues} from '../../source/query/filter.ts';

/** Text that a filter line must carry unharmed: quotes, commas, line ends, controls, emoji, what looks like a term. */
const text = fc.oneof(
	fc.string({unit: 'binary', maxLength: 12}),
	fc.string({unit: 'grapheme', maxLength: 12}),
	fc.string({
		unit: fc.constantFrom('"', '\\', ',', ' ', ':', '(', ')', '>', '=', 'a', '\n', '\u202e'),
		maxLength: 10,
	}),
	fc.constantFrom(
		'tier:none',
		'quality_score>1',
		'quality_score > 1',
		'max(action.x)<2',
		'-tag:x',
		'!tag:x',
		'-quality_score>1',
		'',
		' ',
		'a  b',
		'none',
	),
);
const someText = text.filter(value => value !== '');
const value = fc.double({noDefaultInfinity: true, noNaN: true}).map(number => number + 0);
const list = <T>(item: fc.Arbitrary<T>, maxLength = 4) => fc.uniqueArray(item, {maxLength});
const index = fc.option(fc.integer({min: 0, max: 2_147_483_647}), {nil: undefined});

const leftOut: fc.Arbitrary<LeftOutValues | undefined> = fc
	.record({
		tasks: list(text),
		tiers: list(fc.constantFrom('' as const, ...tiers)),
		interfaces: list(text),
		robots: list(text),
		markers: list(text),
		datasets: list(text),
		tags: list(text),
		reviews: list(fc.constantFrom(...reviewStates)),
	})
	.map(lists => Object.entries(lists).filter(([, values]) => values.length > 0))
	.map(lists => (lists.length > 0 ? Object.fromEntries(lists) : undefined));

/** Any filter that the language can say. */
export const arbitraryFilter: fc.Arbitrary<Filter> = fc
	.record({
		tasks: list(text),
		tiers: list(fc.constantFrom('' as const, ...tiers)),
		interfaces: list(text),
		robots: list(text),
		markers: list(text),
		datasets: list(text),
		tags: list(text),
		review: fc.option(fc.constantFrom(...reviewStates), {nil: undefined}),
		index,
		parent: index,
		lineage: fc.option(fc.constantFrom(...lineages), {nil: undefined}),
		descending: fc.boolean(),
		numeric: fc.array(
			fc.record({field: fc.constantFrom(...metricNames), op: fc.constantFrom(...comparisons), value}),
			{maxLength: 4},
		),
		channels: fc.array(
			fc.record({
				stream: fc.constantFrom(...streams),
				channel: fc.oneof(someText, fc.constantFrom('gripper.pos', 'state.x', 'action.', 'left arm')),
				agg: fc.constantFrom(...aggregates),
				op: fc.constantFrom(...comparisons),
				value,
			}),
			{maxLength: 4},
		),
		search: text,
		not: fc.option(leftOut, {nil: undefined, freq: 1}),
	})
	.map(({not, ...filter}) => (not === undefined ? filter : {...filter, not}));
