import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {lineWidth, type Segment} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {suspectLines} from '../../../source/panes/series/detail-lines.ts';

const ascii = createScreen({colour: false, attributes: true, ascii: true}, signsFor({unicode: false}));
const unicode = createScreen({colour: true, attributes: true, ascii: false}, signsFor({unicode: true}));

const text = (segments: readonly Segment[]) =>
	segments.map(segment => (typeof segment === 'string' ? segment : segment.text)).join('');

function episode(metrics: Record<string, unknown>, tags: string[] = ['suspect']): LakeEpisode {
	return {
		episode_id: '00000000-0000-4000-8000-000000000001',
		dataset_id: '00000000-0000-4000-8000-000000000002',
		dataset_name: 'cups',
		episode_index: 3,
		frame_count: 100,
		duration_seconds: 10,
		review_state: 'unreviewed',
		tags,
		metrics,
	} as LakeEpisode;
}

const long = [
	'41 s; 90 % of siblings take 14–22 s',
	'22 frames dropped; at most 3 in 95 % of siblings',
	'elbow_flex ends far off at 40; 90 % of siblings end at 2–6',
	'shakes',
];

test('the reasons for a suspect episode stand first, with figures and how far off they are', () => {
	const [line, ...rest] = suspectLines(
		episode({suspect_reasons: ['41 s; 90 % of siblings take 14–22 s'], doubt: 2.25, siblings: 41}),
		{screen: unicode, width: 96, rows: 20},
	).map(text);
	expect(line).toMatch(
		/^ . suspect {2}41 s; 90 % of siblings take 14–22 s {2}oddness 2\.25, compared with 41 siblings$/,
	);
	expect(rest).toEqual([]);
	// A lake of an earlier version keeps the sentences that it was given.
	const earlier = ['41 s, siblings 14–22', 'pan never moves, in its siblings it does'];
	expect(
		suspectLines(episode({suspect_reasons: earlier}), {screen: unicode, width: 80, rows: 20}).map(text),
	).toEqual([expect.stringContaining(earlier.join(' · '))]);
	const broken = episode({suspect_reasons: ['never moves: 6 of 6 dims frozen'], doubt: 100}, [
		'suspect',
		'broken',
	]);
	expect(suspectLines(broken, {screen: ascii, width: 80, rows: 20}).map(text).join()).toMatch(
		/broken {2}never moves: 6 of 6 dims frozen$/,
	);
});

test('many reasons take two lines of a small screen and stay within its width; a normal episode takes none', () => {
	for (const [width, rows, most] of [
		[58, 18, 2],
		[78, 22, 2],
		[40, 8, 1],
		[118, 38, 4],
	] as const) {
		const lines = suspectLines(
			episode({suspect_reasons: [...long, ...long, ...long, ...long, ...long, ...long]}),
			{
				screen: ascii,
				width,
				rows,
			},
		);
		expect(lines).toHaveLength(most);
		for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
		expect(text(lines.at(-1) ?? [])).toContain(ascii.signs.ellipsis);
	}
	expect(suspectLines(episode({}), {screen: ascii, width: 80, rows: 20})).toEqual([]);
	expect(suspectLines(episode({suspect_reasons: 'none'}), {screen: ascii, width: 80, rows: 20})).toEqual([]);
});
