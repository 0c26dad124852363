import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {renderLine} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {pauseWords, stillWords} from '../../../source/contract/metrics.ts';
import {shortestPause, stillShare} from '../../../source/motion/pauses.ts';
import {columnOf} from '../../../source/panes/episodes/columns.ts';
import {detailLines} from '../../../source/panes/series/detail-lines.ts';
import {episodeSections} from '../../../source/panes/series/episode-fields.ts';
import {generateLake} from '../../hosted-service/generator.ts';

const drawing = {colour: false, attributes: false, ascii: false};
const screen = createScreen(drawing, signsFor({unicode: true}));

const episode: LakeEpisode = {
	episode_id: '00000000-0000-4000-8000-000000000001',
	dataset_id: '00000000-0000-4000-8000-000000000002',
	dataset_name: 'so101-fold',
	episode_index: 31,
	task: 'fold the towel',
	tier: 'retrainable',
	frame_count: 18_446_744_073_709_551_615n,
	duration_seconds: 41.2,
	quality_score: 0.31,
	interface_hash: 'so101_follower-30hz-3f9a',
	tags: ['night', 'demo'],
	review_state: 'unreviewed',
	metrics: {sparc: -5.3, own_metric: 7, tier_reasons: ['no motion', 'too short'], nested: {count: 3n}},
	parent_episode_id: '00000000-0000-4000-8000-000000000003',
	parent_episode_index: 4,
	member_ordinal: 9_007_199_254_740_993n,
	future_field: {deep: [1, 2n]},
};

function shown(of: LakeEpisode, width: number, asked: Parameters<typeof episodeSections>[1] = {}): string {
	return detailLines(episodeSections(of, asked, screen), width, screen)
		.map(line => renderLine(line, width, drawing).trimEnd())
		.join('\n');
}

describe('the detail of an episode', () => {
	test('holds every field, 64-bit integers with all their digits', () => {
		const text = shown(episode, 60);
		for (const part of [
			'fold the towel',
			'18,446,744,073,709,551,615',
			'41.2 s',
			'0.3100',
			'night, demo',
			'so101_follower-30hz-3f9a',
			'9,007,199,254,740,993',
			episode.episode_id,
			episode.dataset_id,
		]) {
			expect(text).toContain(part);
		}
	});

	test('names metrics as the filter does, the known ones first, and shows the free ones too', () => {
		const text = shown(episode, 60);
		expect(text.indexOf('sparc')).toBeLessThan(text.indexOf('own_metric'));
		expect(text).toContain('no motion; too short');
		expect(text).toContain('{"count": 3}');
	});

	test('names the thresholds of stillness and of a pause, where lakescope measured them', () => {
		const paused = {...episode, metrics: {pause_fraction: 0.35, pause_count: 4}};
		const text = shown(paused, 100, {isMeasuredHere: true});
		expect(text).toMatch(/pause_fraction +0\.3500 of its frames are still: slower than 5 % of its p95 speed/);
		expect(text).toMatch(/pause_count +4 pauses: still for 0\.25 s or longer/);
		expect(shown(paused, 100)).toMatch(/pause_fraction +0\.3500\s/);
		expect(shown(paused, 100)).not.toContain('5 %');
		expect([stillWords, pauseWords]).toEqual([
			`slower than ${stillShare * 100} % of its p95 speed`,
			`still for ${shortestPause} s or longer`,
		]);
		expect(columnOf('pause_fraction').description).toContain(stillWords);
		expect(columnOf('pause_count').description).toContain(pauseWords);
	});

	test('shows unknown fields as raw JSON', () => {
		expect(shown(episode, 60)).toMatch(/Further fields\n future_field +\{"deep": \[1, 2\]\}/);
	});

	test('says that an episode without a parent is an original', () => {
		const {parent_episode_id: _, parent_episode_index: __, ...original} = episode;
		expect(shown(original, 60)).toContain('an original recording');
		expect(shown(episode, 60)).toMatch(/parent index +4/);
	});

	const evidence = {
		predicate_index: 0,
		stream: 'action',
		channel: 'gripper.pos',
		agg: 'max',
		op: 'gt',
		threshold: 50,
		observed_value: 61.25,
		native_channel: 'action.gripper.pos',
		native_index: 5,
	};

	const predicates = [{channel: 'gripper.pos', agg: 'max', op: 'gt', value: 50}] as const;
	const asked = (given: object): Parameters<typeof episodeSections>[1] => ({
		predicates: [...predicates],
		evidence: [{...evidence, ...given}],
	});

	test('shows the evidence in full and that it holds: the requested one, or the episode’s own', () => {
		const whole =
			/predicate 1 +✓ max\(action\.gripper\.pos\) 61\.25 > 50 · margin 11\.25 · at action\.gripper\.pos \[5\]/;
		expect(shown(episode, 100, asked({}))).toMatch(whole);
		const own = shown({...episode, channel_predicate_evidence: [evidence]}, 100, {
			predicates: [...predicates],
		});
		expect(own).toMatch(whole);
		expect(own.match(/channel_predicate_evidence/)).toBeNull();
	});

	test.each([
		[
			'a value that does not meet it',
			{observed_value: 49.5},
			'✗ max(action.gripper.pos) 49.50 > 50',
			'49.5 is not > 50',
		],
		[
			'a value that rounding would hide',
			{observed_value: 49.9999999},
			'✗ max(action.gripper.pos) 49.9999999 > 50',
			'is not > 50',
		],
		[
			'another predicate’s index',
			{predicate_index: 3},
			'✗ max(action.gripper.pos) 61.25 > 50',
			'it names predicate 4, and 1 were asked',
		],
		[
			'another threshold',
			{threshold: 40},
			'✗ max(action.gripper.pos) 61.25 > 40',
			'max(action.gripper.pos)>50 was asked',
		],
		[
			'another channel',
			{channel: 'wrist.pos'},
			'✗ max(action.wrist.pos) 61.25 > 50',
			'max(action.gripper.pos)>50 was asked',
		],
		['a comparison that nobody knows', {op: 'near'}, '✗ max(action.gripper.pos) 61.25 near 50', 'was asked'],
	])('marks evidence with %s', (_, given, row, problem) => {
		const text = shown(episode, 160, asked(given));
		expect(text).toContain(row);
		expect(text).toContain(problem);
	});

	test('names a predicate without evidence', () => {
		expect(shown(episode, 100, {predicates: [...predicates], evidence: []})).toContain(
			'✗ max(action.gripper.pos): no evidence returned',
		);
		expect(shown(episode, 100, {predicates: [...predicates]})).not.toContain('no evidence');
	});

	test('stands side by side where there is room', () => {
		expect(shown(episode, 120).split('\n').length).toBeLessThan(shown(episode, 50).split('\n').length);
	});

	test('cuts a text of 262,144 characters and says how much more there is', () => {
		const text = shown({...episode, task: 'x'.repeat(262_144)}, 80);
		expect(text).toContain('(and 258,144 characters more)');
		expect(text.length).toBeLessThan(10_000);
	});
});

test('no line of any episode is wider than its room, however hostile the episode', () => {
	const lake = generateLake({count: 60, hostile: true});
	for (let row = 0; row < 60; row++) {
		const of = lake.episode(row) as unknown as LakeEpisode;
		for (const width of [20, 58, 88, 120]) {
			for (const line of detailLines(episodeSections(of, {}, screen), width, screen)) {
				const drawn = renderLine(line, 1000, drawing);
				expect(stringWidth(drawn)).toBeLessThanOrEqual(width);
			}
		}
	}
});
