import {describe} from 'vitest';
import {channelPredicateEvidence, lakeEpisode} from '../../source/contract/episode.ts';
import {exploreResponse, lakeFacets} from '../../source/contract/explore.ts';
import {type Bound, holdBounds, holdChoices, holdNulls, holdPresence, type Subject} from './bounds.ts';
import {episode, evidence, exploreAnswer, facets} from './examples.ts';

const maxCount = 18_446_744_073_709_552_000n;
const maxOrdinal = 9_223_372_036_854_776_000n;
const open = {open: true};

const uuidBounds = (...fields: string[]): Bound[] =>
	fields.map(field => [
		field,
		'a uuid',
		'00000000-0000-0000-0000-000000000000',
		'00000000-0000-0000-0000-00000000000',
	]);

describe('lake episode', () => {
	const subject: Subject = {section: '2.1 episode', schema: lakeEpisode, example: episode};
	const nullable = [
		'task',
		'tier',
		'quality_score',
		'thumb_url',
		'interface_hash',
		'dataset_version_id',
		'parent_episode_id',
		'parent_episode_index',
		'member_ordinal',
		'episode_revision_id',
	];
	const required = [
		'episode_id',
		'dataset_id',
		'dataset_name',
		'episode_index',
		'frame_count',
		'duration_seconds',
		'review_state',
	];
	const properties = (count: number) =>
		Object.fromEntries(Array.from({length: count}, (_, key) => [`m${key}`, [key, null, {deep: true}]]));

	holdBounds(subject, [
		...uuidBounds('episode_id', 'dataset_id', 'dataset_version_id', 'parent_episode_id'),
		['dataset_name', 'at least 1 character', 'a', ''],
		['dataset_name', 'at most 128 characters', 'a'.repeat(128), 'a'.repeat(129)],
		['dataset_name', 'starts with a letter or digit', '9._-', '.9_-'],
		['dataset_name', 'letters, digits, dot, underscore, hyphen', 'Az.09_-', 'Az 09'],
		['dataset_name', 'nothing after its end', 'cups', 'cups\n'],
		['episode_index', 'at most 4294967295', 4_294_967_295, 4_294_967_296],
		['episode_index', 'an integer', 1, 1.5],
		['task', 'at most 262144 characters', 'a'.repeat(262_144), 'a'.repeat(262_145)],
		['task', 'characters, not UTF-16 units', '🤖'.repeat(262_144), '🤖'.repeat(262_145)],
		['frame_count', 'at most 18446744073709552000', maxCount, maxCount + 1n],
		['frame_count', 'an integer', 1, 1.5],
		['duration_seconds', 'a number', 0.1, '0.1'],
		['quality_score', 'at most 1', 1, 1.000001],
		['thumb_url', 'at least 1 character', 'a', ''],
		['thumb_url', 'at most 16384 characters', 'a'.repeat(16_384), 'a'.repeat(16_385)],
		['interface_hash', 'at most 128 characters', 'a'.repeat(128), 'a'.repeat(129)],
		['tags', 'at most 512 items', Array(512).fill('a'), Array(513).fill('a')],
		['tags', 'strings', ['1'], [1]],
		['metrics', 'at most 128 properties', properties(128), properties(129)],
		['parent_episode_index', 'at most 2147483647', 2_147_483_647, 2_147_483_648],
		['member_ordinal', 'at most 9223372036854776000', maxOrdinal, maxOrdinal + 1n],
		['member_ordinal', 'an integer', 1, 1.5],
		['episode_revision_id', '64 characters', 'f'.repeat(64), 'f'.repeat(63)],
		['episode_revision_id', 'no more than 64', 'f'.repeat(64), 'f'.repeat(65)],
		['episode_revision_id', 'lowercase hex', '0'.repeat(64), 'F'.repeat(64)],
	]);
	holdPresence(subject, {required, optional: [...nullable, 'tags', 'metrics']});
	holdNulls(subject, {nullable, notNull: required});
	holdChoices(subject, 'tier', ['retrainable', 'analyze_only'], open);
	holdChoices(subject, 'review_state', ['unreviewed', 'auto_accepted', 'human_audited', 'rejected'], open);
});

describe('channel predicate evidence', () => {
	const subject: Subject = {section: '2.2 evidence', schema: channelPredicateEvidence, example: evidence};
	holdBounds(subject, [
		['predicate_index', 'at most 31', 31, 32],
		['predicate_index', 'an integer', 1, 1.5],
		['channel', 'at least 1 character', 'a', ''],
		['channel', 'at most 512 characters', 'a'.repeat(512), 'a'.repeat(513)],
		['threshold', 'a number', -1e300, '1'],
		['observed_value', 'a number', -1e300, '1'],
		['native_channel', 'at least 1 character', 'a', ''],
		['native_channel', 'at most 512 characters', 'a'.repeat(512), 'a'.repeat(513)],
		['native_index', 'at most 4294967295', 4_294_967_295, 4_294_967_296],
		['native_index', 'an integer', 1, 1.5],
	]);
	holdPresence(subject, {required: Object.keys(evidence), optional: []});
	holdNulls(subject, {nullable: [], notNull: Object.keys(evidence)});
	holdChoices(subject, 'stream', ['action', 'state', 'telemetry'], open);
	holdChoices(subject, 'agg', ['max', 'min', 'mean', 'std'], open);
	holdChoices(subject, 'op', ['gt', 'lt', 'gte', 'lte'], open);
});

describe('lake facets', () => {
	const subject: Subject = {section: '2.3 facets', schema: lakeFacets, example: facets};
	const lists = ['by_task', 'by_tier', 'by_interface_hash', 'by_marker_signature'];
	const counts = (length: number) => Array(length).fill({value: 'a', count: 1});

	holdBounds(subject, [
		...lists.flatMap((list): Bound[] => [
			[list, 'at most 512 items', counts(512), counts(513)],
			[`${list}.0.value`, 'at most 2048 characters', 'a'.repeat(2048), 'a'.repeat(2049)],
			[`${list}.0.count`, 'greater than 0', 1, 0],
			[`${list}.0.count`, 'at most 18446744073709552000', maxCount, maxCount + 1n],
			[`${list}.0.count`, 'an integer', 1, 1.5],
			[`${list}_total_values`, 'at most 18446744073709552000', maxCount, maxCount + 1n],
			[`${list}_total_values`, 'an integer', 1, 1.5],
		]),
		['by_marker_signature_total_values', 'at least 0', 0, -1],
		['marker_signature_unknown', 'at least 0', 0, -1],
		['marker_signature_unknown', 'at most 18446744073709552000', maxCount, maxCount + 1n],
	]);
	const optional = ['by_marker_signature', 'by_marker_signature_total_values', 'marker_signature_unknown'];
	holdPresence(subject, {
		required: [
			...Object.keys(facets).filter(field => !optional.includes(field)),
			'by_task.0.value',
			'by_task.0.count',
		],
		optional,
	});
});

describe('explore response', () => {
	const subject: Subject = {section: '4.1 explore response', schema: exploreResponse, example: exploreAnswer};
	holdBounds(subject, [
		['episodes', 'at most 200 items', Array(200).fill(episode), Array(201).fill(episode)],
		['channel_predicate_evidence', 'at most 32 items', Array(32).fill(evidence), Array(33).fill(evidence)],
		['total', 'at most 18446744073709552000', maxCount, maxCount + 1n],
		['total', 'an integer', 1, 1.5],
		['total_frames', 'at most 18446744073709552000', maxCount, maxCount + 1n],
		['total_frames', 'an integer', 1, 1.5],
		['total_duration_seconds', 'a number', 0.5, '0.5'],
		['page_limit', 'at least 1', 1, 0],
		['page_limit', 'at most 200', 200, 201],
		['page_offset', 'at least 0', 0, -1],
		['page_offset', 'at most 4294967295', 4_294_967_295, 4_294_967_296],
	]);
	holdPresence(subject, {required: Object.keys(exploreAnswer), optional: []});
	holdNulls(subject, {nullable: [], notNull: Object.keys(exploreAnswer)});
});
