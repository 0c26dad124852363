import {numericFields} from './lake.ts';
import {
	boolean,
	choice,
	integer,
	list,
	nullable,
	number,
	object,
	optional,
	type Reader,
	required,
	text,
} from './validation.ts';

const texts = (max: number) => optional(list(text(), {max}), [] as string[]);

const op = required(choice(['gt', 'lt', 'gte', 'lte']));

const numericPredicate = object({
	field: required(choice(numericFields)),
	op,
	value: required(number()),
});

const channelPredicate = object({
	stream: optional(choice(['action', 'state', 'telemetry']), 'action'),
	channel: required(text()),
	agg: required(choice(['max', 'min', 'mean', 'std'])),
	op,
	value: required(number()),
});

/** The request body of section 4.1. */
export const exploreRequest = object({
	tasks: texts(512),
	tiers: optional(list(choice(['', 'retrainable', 'analyze_only']), {max: 512}), []),
	interface_hashes: texts(512),
	tags: texts(512),
	marker_signatures: texts(512),
	review_state: optional(choice(['', 'unreviewed', 'auto_accepted', 'human_audited', 'rejected']), ''),
	dataset_ids: texts(4096),
	episode_index: optional(nullable(integer({le: 2_147_483_647})), null),
	lineage: optional(choice(['', 'originals', 'children']), ''),
	parent_episode_index: optional(nullable(integer({le: 2_147_483_647})), null),
	order_desc: optional(boolean, false),
	limit: optional(integer({ge: 1, le: 200}), 50),
	offset: optional(integer({ge: 0, le: 4_294_967_295}), 0),
	search: optional(text(), ''),
	numeric_predicates: optional(list(numericPredicate, {max: 32}), []),
	channel_predicates: optional(list(channelPredicate, {max: 32}), []),
});

type ReadBy<R> = R extends Reader<infer T> ? T : never;

export type ExploreRequest = ReadBy<typeof exploreRequest>;
export type ChannelPredicate = ReadBy<typeof channelPredicate>;
export type Op = ChannelPredicate['op'];
