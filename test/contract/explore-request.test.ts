import {describe, expect, test} from 'vitest';
import {exploreRequest} from '../../source/contract/explore.ts';
import {numericFields} from '../../source/contract/vocabulary.ts';
import {
	brokenFields,
	holdBounds,
	holdChoices,
	holdDefaults,
	holdNulls,
	holdPresence,
	holdStrict,
	type Subject,
} from './bounds.ts';

const numeric = {field: 'sparc', op: 'lt', value: -6};
const channel = {stream: 'state', channel: 'gripper.pos', agg: 'max', op: 'gt', value: 50};

const request: Subject = {
	section: '4.1 explore request',
	schema: exploreRequest,
	example: {
		tasks: ['fold the towel'],
		tiers: ['retrainable'],
		interface_hashes: ['so101'],
		tags: ['night'],
		marker_signatures: ['reach > grasp'],
		review_state: 'unreviewed',
		dataset_ids: ['00000001-0001-4000-8000-000000000000'],
		episode_index: 3,
		lineage: 'originals',
		parent_episode_index: 3,
		order_desc: true,
		limit: 50,
		offset: 0,
		search: 'towel',
		numeric_predicates: [numeric],
		channel_predicates: [channel],
	},
};

const fields = Object.keys(request.example);
const strings = (count: number) => Array(count).fill('a');

describe('explore request', () => {
	holdBounds(request, [
		['tasks', 'at most 512 items', strings(512), strings(513)],
		['tasks', 'strings', ['1'], [1]],
		['tiers', 'at most 512 items', Array(512).fill('retrainable'), Array(513).fill('retrainable')],
		['interface_hashes', 'at most 512 items', strings(512), strings(513)],
		['interface_hashes', 'strings', ['1'], [1]],
		['tags', 'at most 512 items', strings(512), strings(513)],
		['tags', 'strings', ['1'], [1]],
		['marker_signatures', 'at most 512 items', strings(512), strings(513)],
		['marker_signatures', 'strings', ['1'], [1]],
		['dataset_ids', 'at most 4096 items', strings(4096), strings(4097)],
		['dataset_ids', 'strings', ['1'], [1]],
		['episode_index', 'at most 2147483647', 2_147_483_647, 2_147_483_648],
		['episode_index', 'an integer', 0, 0.5],
		['parent_episode_index', 'at most 2147483647', 2_147_483_647, 2_147_483_648],
		['parent_episode_index', 'an integer', 0, 0.5],
		['order_desc', 'a boolean', false, 'false'],
		['limit', 'at least 1', 1, 0],
		['limit', 'at most 200', 200, 201],
		['limit', 'an integer', 2, 2.5],
		['offset', 'at least 0', 0, -1],
		['offset', 'at most 4294967295', 4_294_967_295, 4_294_967_296],
		['offset', 'an integer', 2, 2.5],
		['search', 'a string', '', 1],
		['numeric_predicates', 'at most 32 items', Array(32).fill(numeric), Array(33).fill(numeric)],
		['numeric_predicates.0.value', 'a number', -1e300, '1'],
		['numeric_predicates.0.value', 'finite, as JSON is', Number.MAX_VALUE, Number.POSITIVE_INFINITY],
		['channel_predicates', 'at most 32 items', Array(32).fill(channel), Array(33).fill(channel)],
		['channel_predicates.0.channel', 'a string', '', 1],
		['channel_predicates.0.value', 'a number', -1e300, '1'],
		['channel_predicates.0.value', 'finite, as JSON is', Number.MAX_VALUE, Number.NaN],
	]);

	holdPresence(request, {
		required: [
			...['field', 'op', 'value'].map(name => `numeric_predicates.0.${name}`),
			...['channel', 'agg', 'op', 'value'].map(name => `channel_predicates.0.${name}`),
		],
		optional: fields,
	});

	holdNulls(request, {
		nullable: ['episode_index', 'parent_episode_index'],
		notNull: fields.filter(field => !field.endsWith('episode_index')),
	});

	holdDefaults(request, [
		['review_state', ''],
		['lineage', ''],
		['limit', 50],
		['offset', 0],
		['search', ''],
		['channel_predicates.0.stream', 'action'],
	]);

	const closed = {open: false};
	holdChoices(request, 'tiers.0', ['', 'retrainable', 'analyze_only'], closed);
	holdChoices(
		request,
		'review_state',
		['', 'unreviewed', 'auto_accepted', 'human_audited', 'rejected'],
		closed,
	);
	holdChoices(request, 'lineage', ['', 'originals', 'children'], closed);
	const documentedFields =
		'duration_s, frame_count, quality_score, speed_mean, jerk_mean, frozen_action_dims, action_dims, ' +
		'frozen_state_dims, state_dims, sync_skew_max_ms, sync_skew_ratio, sparc, ldlj, psd_hf_ratio, speed_p10, ' +
		'speed_p50, speed_p90, pause_fraction, pause_count, dt_jitter_ms, dt_dropped_frames';
	holdChoices(request, 'numeric_predicates.0.field', documentedFields.split(', '), closed);
	holdChoices(request, 'numeric_predicates.0.op', ['gt', 'lt', 'gte', 'lte'], closed);
	holdChoices(request, 'channel_predicates.0.stream', ['action', 'state', 'telemetry'], closed);
	holdChoices(request, 'channel_predicates.0.agg', ['max', 'min', 'mean', 'std'], closed);
	holdChoices(request, 'channel_predicates.0.op', ['gt', 'lt', 'gte', 'lte'], closed);

	test('4.1 numeric predicate: the fields are the documented 21, in the documented order', () => {
		expect(numericFields).toEqual(documentedFields.split(', '));
	});

	test('4.1 an empty body is a request', () => {
		expect(brokenFields(exploreRequest, {})).toEqual([]);
	});

	holdStrict(request);
	holdStrict(request, 'numeric_predicates.0');
	holdStrict(request, 'channel_predicates.0');
});
