import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {generateLake} from './generator.ts';
import {type ChannelStatistics, datasetId, type EpisodeSeed, episodeId} from './lake.ts';
import {type HostedService, startHostedService} from './server.ts';

const gripper = (max: number): ChannelStatistics => ({
	stream: 'action',
	channel: 'gripper.pos',
	native_channel: 'action.gripper.pos',
	native_index: 5,
	max,
	min: 0,
	mean: max / 2,
	std: 1,
});

const cups = {dataset_name: 'cups', frame_count: 30, duration_seconds: 1, interface_hash: 'so101'} as const;
const towels = {
	dataset_name: 'towels',
	frame_count: 60,
	duration_seconds: 2,
	interface_hash: 'aloha',
} as const;

const episodes: readonly EpisodeSeed[] = [
	{...cups, episode_index: 0, task: 'stack', tier: 'retrainable', tags: ['night'], channels: [gripper(80)]},
	{...cups, episode_index: 1, task: 'stack', tier: 'analyze_only', channels: [gripper(40)]},
	{
		...cups,
		episode_index: 2,
		task: 'Pour',
		tier: null,
		marker_signature: 'reach > grasp',
		channels: [gripper(90)],
	},
	{
		...towels,
		episode_index: 0,
		task: 'fold',
		tier: 'retrainable',
		quality_score: 0.4,
		tags: ['night', 'demo'],
	},
	{
		...towels,
		episode_index: 1,
		task: 'fold',
		tier: 'retrainable',
		quality_score: 0.9,
		parent: {dataset_name: 'cups', episode_index: 2},
		member_ordinal: 3,
	},
	{...towels, episode_index: 2, task: null, tier: 'retrainable', review_state: 'rejected'},
];

type Answer = {
	episodes: Array<Record<string, unknown>>;
	channel_predicate_evidence: unknown[];
	total: number;
	total_frames: number;
	total_duration_seconds: number;
	facets: Record<string, unknown>;
	page_limit: number;
	page_offset: number;
};

let service: HostedService;

beforeAll(async () => {
	service = await startHostedService({episodes});
});

afterAll(() => service.close());

async function explore(request: Record<string, unknown>): Promise<Answer> {
	const response = await fetch(`${service.url}/v1/datasets/explore`, {
		method: 'POST',
		headers: {'x-api-key': service.key, 'content-type': 'application/json'},
		body: JSON.stringify(request),
	});
	expect(response.status).toBe(200);
	return (await response.json()) as Answer;
}

const shown = (answer: Answer): string[] =>
	answer.episodes.map(episode => `${episode.dataset_name}/${episode.episode_index}`);

describe('filters', () => {
	const all = ['cups/0', 'cups/1', 'cups/2', 'towels/0', 'towels/1', 'towels/2'];

	test.each<[string, Record<string, unknown>, string[]]>([
		['nothing', {}, all],
		['a task', {tasks: ['stack']}, ['cups/0', 'cups/1']],
		['two tasks', {tasks: ['stack', 'Pour']}, ['cups/0', 'cups/1', 'cups/2']],
		['a tier', {tiers: ['analyze_only']}, ['cups/1']],
		['the empty tier', {tiers: ['']}, ['cups/2']],
		['the empty tier or another', {tiers: ['', 'analyze_only']}, ['cups/1', 'cups/2']],
		['an embodiment', {interface_hashes: ['aloha']}, ['towels/0', 'towels/1', 'towels/2']],
		['a tag', {tags: ['demo']}, ['towels/0']],
		['a marker signature', {marker_signatures: ['reach > grasp']}, ['cups/2']],
		['a review state', {review_state: 'rejected'}, ['towels/2']],
		['a dataset', {dataset_ids: [datasetId(0)]}, ['cups/0', 'cups/1', 'cups/2']],
		['no known dataset', {dataset_ids: ['nobody']}, []],
		['an index', {episode_index: 1}, ['cups/1', 'towels/1']],
		['originals', {lineage: 'originals', tasks: ['fold']}, ['towels/0']],
		['children', {lineage: 'children'}, ['towels/1']],
		['a parent index', {parent_episode_index: 2}, ['towels/1']],
		['a search, whatever the case', {search: 'pOUR'}, ['cups/2']],
		['a search in dataset names', {search: 'owel'}, ['towels/0', 'towels/1', 'towels/2']],
		['a number', {numeric_predicates: [{field: 'quality_score', op: 'lt', value: 0.5}]}, ['towels/0']],
		[
			'a number at its bound',
			{numeric_predicates: [{field: 'frame_count', op: 'lte', value: 30}]},
			all.slice(0, 3),
		],
		['a number below its bound', {numeric_predicates: [{field: 'frame_count', op: 'lt', value: 30}]}, []],
		[
			'a channel, action by default',
			{channel_predicates: [{channel: 'gripper.pos', agg: 'max', op: 'gt', value: 50}]},
			['cups/0', 'cups/2'],
		],
		[
			'a stream without that channel',
			{channel_predicates: [{stream: 'state', channel: 'gripper.pos', agg: 'max', op: 'gt', value: 0}]},
			[],
		],
	])('by %s', async (_name, request, expected) => {
		const answer = await explore(request);
		expect(shown(answer)).toEqual(expected);
		expect(answer.total).toBe(expected.length);
	});
});

test('a page is a part of the whole, from either end, with the totals of the whole', async () => {
	const {page_limit, page_offset, total, total_frames, total_duration_seconds} = await explore({
		limit: 2,
		offset: 3,
	});
	expect({page_limit, page_offset, total, total_frames, total_duration_seconds}).toEqual({
		page_limit: 2,
		page_offset: 3,
		total: 6,
		total_frames: 270,
		total_duration_seconds: 9,
	});
	expect(shown(await explore({limit: 2, offset: 3}))).toEqual(['towels/0', 'towels/1']);
	expect(shown(await explore({limit: 2, offset: 1, order_desc: true}))).toEqual(['towels/1', 'towels/0']);
	expect(shown(await explore({limit: 4, offset: 4, order_desc: true}))).toEqual(['cups/1', 'cups/0']);
	expect(shown(await explore({offset: 6}))).toEqual([]);
	expect(shown(await explore({offset: 9, order_desc: true}))).toEqual([]);
});

test('a facet leaves its own filter out and takes the others', async () => {
	const {facets} = await explore({tiers: ['retrainable'], tasks: ['fold']});
	expect(facets).toEqual({
		by_task: [
			{value: 'fold', count: 2},
			{value: 'stack', count: 1},
		],
		by_tier: [{value: 'retrainable', count: 2}],
		by_interface_hash: [{value: 'aloha', count: 2}],
		by_marker_signature: [],
		by_task_total_values: 2,
		by_tier_total_values: 1,
		by_interface_hash_total_values: 1,
		by_marker_signature_total_values: 0,
		marker_signature_unknown: 2,
	});
	const whole = await explore({marker_signatures: ['reach > grasp']});
	expect(whole.facets.marker_signature_unknown).toBe(5);
	expect(whole.facets.by_tier).toEqual([{value: '', count: 1}]);
});

test('evidence is given for the first episode of the page, one row a channel predicate', async () => {
	const predicate = {channel: 'gripper.pos', op: 'gte', value: 20};
	const channel_predicates = [
		{...predicate, agg: 'max'},
		{...predicate, agg: 'mean'},
	];
	const answer = await explore({channel_predicates, offset: 1});
	expect(shown(answer)).toEqual(['cups/1', 'cups/2']);
	const row = {
		stream: 'action',
		channel: 'gripper.pos',
		op: 'gte',
		threshold: 20,
		native_channel: 'action.gripper.pos',
		native_index: 5,
	};
	expect(answer.channel_predicate_evidence).toEqual([
		{...row, predicate_index: 0, agg: 'max', observed_value: 40},
		{...row, predicate_index: 1, agg: 'mean', observed_value: 20},
	]);
	expect((await explore({channel_predicates, offset: 9})).channel_predicate_evidence).toEqual([]);
});

test('an episode has the documented fields and no others', async () => {
	const {episodes: page} = await explore({lineage: 'children'});
	expect(page).toEqual([
		{
			episode_id: episodeId(1, 1),
			dataset_id: datasetId(1),
			dataset_name: 'towels',
			episode_index: 1,
			task: 'fold',
			tier: 'retrainable',
			frame_count: 60,
			duration_seconds: 2,
			quality_score: 0.9,
			thumb_url: null,
			interface_hash: 'aloha',
			tags: [],
			review_state: 'unreviewed',
			metrics: {},
			dataset_version_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			parent_episode_id: episodeId(0, 2),
			parent_episode_index: 2,
			member_ordinal: 3,
			episode_revision_id: expect.stringMatching(/^[0-9a-f]{64}$/),
		},
	]);
});

test('a facet of more than 512 values lists the first 512 and counts all', async () => {
	service.setEpisodes({count: 2000, tasks: 700});
	const {facets, total} = await explore({});
	expect(total).toBe(2000);
	expect(facets.by_task).toHaveLength(512);
	expect(facets.by_task_total_values).toBe(700);
	service.setEpisodes(episodes);
});

test('a frame count beyond 2^53 is printed to its last digit, and so is the total', async () => {
	service.setEpisodes([{...cups, episode_index: 0, frame_count: 18_446_744_073_709_551_615n}]);
	const response = await fetch(`${service.url}/v1/datasets/explore`, {
		method: 'POST',
		headers: {'x-api-key': service.key},
		body: '{}',
	});
	const text = await response.text();
	expect(text).toContain('"frame_count":18446744073709551615,');
	expect(text).toContain('"total_frames":18446744073709551615,');
	service.setEpisodes(episodes);
});

test('a generated lake is the same for the same options', () => {
	const row = (seed: number) => generateLake({count: 500, seed}).episode(321);
	expect(row(7)).toEqual(row(7));
	expect(row(7)).not.toEqual(row(8));
});
