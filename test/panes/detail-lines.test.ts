import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {createScreen} from '../../source/components/screen.tsx';
import {renderLine} from '../../source/components/segment.ts';
import {signsFor} from '../../source/components/signs.ts';
import type {LakeEpisode} from '../../source/contract/episode.ts';
import {detailLines} from '../../source/panes/detail/detail-lines.ts';
import {episodeSections} from '../../source/panes/detail/episode-fields.ts';
import {generateLake} from '../hosted-service/generator.ts';

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

function shown(of: LakeEpisode, width: number, found: Parameters<typeof episodeSections>[1] = []): string {
	return detailLines(episodeSections(of, found, screen), width, screen)
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

	test('shows fields that it does not know as raw JSON', () => {
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

	test('shows the evidence that was asked for, or the episode’s own', () => {
		expect(shown(episode, 100, [evidence])).toContain('61.25 > 50  at action.gripper.pos [5]');
		const own = shown({...episode, channel_predicate_evidence: [evidence]}, 100);
		expect(own).toContain('61.25 > 50  at action.gripper.pos [5]');
		expect(own.match(/channel_predicate_evidence/)).toBeNull();
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
			for (const line of detailLines(episodeSections(of, [], screen), width, screen)) {
				const drawn = renderLine(line, 1000, drawing);
				expect(stringWidth(drawn)).toBeLessThanOrEqual(width);
			}
		}
	}
});
