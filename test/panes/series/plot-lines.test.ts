import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {lineWidth, type Segment} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import type {EpisodeSeries} from '../../../source/contract/local-series.ts';
import {shortestPause, stillShare} from '../../../source/motion/pauses.ts';
import {figureLines, figuresOf, percentileLines} from '../../../source/panes/series/figure-lines.ts';
import {seriesLines, shortSeriesLine} from '../../../source/panes/series/plot-lines.ts';
import {plotStart} from '../../../source/store/series/plot-window.ts';

const plainLooks = {colour: false, attributes: true};
const ascii = createScreen({...plainLooks, ascii: true}, signsFor({unicode: false}));
const unicode = createScreen({...plainLooks, ascii: false}, signsFor({unicode: true}));
const spoken = createScreen(
	{...plainLooks, ascii: true, spoken: true},
	signsFor({unicode: true, isSpoken: true}),
);

const rising = Array.from({length: 100}, (_, at) => at);
const course = {min: rising, max: rising};

const series: EpisodeSeries = {
	episode_id: 'e',
	dataset_name: 'cups',
	episode_index: 3,
	task: 'Pour',
	frames: 100,
	fps: 10,
	seconds: 10,
	from: 0,
	until: 100,
	width: 100,
	channels: [
		{stream: 'action', channel: 'gripper', ...course, low: 0, high: 99},
		{stream: 'state', channel: 'gripper', ...course, low: 0, high: 99},
	],
	available: ['action.gripper', 'state.gripper'],
	speed: course,
	pauses: [{from: 2, to: 4}],
	progress: {sparse: course, dense: null},
	siblings: {
		task: 'Pour',
		episodes: 12,
		seconds: 9,
		speed: [10, 20, 30],
		channels: [{name: 'gripper', low: 0, usual_low: 5, usual_high: 40, high: 50}],
	},
};

const known = {episodeId: 'e', unlike: [], overview: series, drawn: series, failure: undefined};
const textOf = (line: readonly Segment[]) =>
	line.map(segment => (typeof segment === 'string' ? segment : segment.text)).join('');
const drawn = (screen = unicode, cursor?: number, width = 60) =>
	seriesLines(known, {
		place: {...plotStart, cursor},
		chosen: undefined,
		screen,
		width,
		rows: 30,
	}).map(textOf);

test('speed with its siblings, pauses, action against state, progress and ranges are drawn', () => {
	const lines = drawn();
	expect(lines[0]).toBe(" speed  0 to 99 · siblings' median 10 to 30 (dotted)");
	expect(lines).toContain(' 1 pause, 2.0 s, marked above');
	expect(lines.join('')).toContain(
		`A pause: still for ${shortestPause} s or longer (slower than ${stillShare * 100} %`,
	);
	expect(lines.find(line => line.includes('0.0 s'))).toMatch(/^ 0\.0 s +10\.0 s$/);
	expect(lines).toContain(' action.gripper  0 to 99 · state 0 to 99 (dotted)');
	expect(lines).toContain(' progress, sparse  0 to 99');
	expect(lines.at(-1)).toMatch(/^ gripper {2}0 to 99 +━+▓+$/);
	const marks = lines.find(line => /^ +━+ *$/.test(line)) ?? '';
	// From 2 to 4 s of 10, over 58 cells.
	expect([marks.indexOf('━') - 1, marks.lastIndexOf('━') - 1]).toEqual([11, 23]);
});

test('of several reward models each progress has its name', () => {
	const of = (progress_of: EpisodeSeries['progress_of']) =>
		seriesLines(
			{...known, drawn: {...series, progress_of}},
			{place: plotStart, chosen: undefined, screen: unicode, width: 60, rows: 30},
		).map(textOf);
	const both = of([
		{model: 'sarm', sparse: course, dense: course},
		{model: 'robometer', sparse: course},
	]);
	expect(both.filter(line => line.includes('progress, '))).toEqual([
		' sarm progress, sparse  0 to 99',
		' sarm progress, dense  0 to 99',
		' robometer progress, sparse  0 to 99',
	]);
	expect(of([{model: 'sarm', sparse: course}])).toContain(' progress, sparse  0 to 99');
	expect(of([{model: 'topreward', sparse: course}])).toContain(' topreward progress, sparse  0 to 99');
});

test('the cursor reads the value of each trace at a moment', () => {
	const lines = drawn(unicode, 0.5);
	expect(lines[0]).toContain("speed  50..51 · siblings' median 20");
	expect(lines.find(line => line.includes('0.0 s'))).toContain('at 5.0 s');
});

test('subtasks stand below the time at their places, and at the cursor the one that it is in', () => {
	const markers = [
		{name: 'reach', from: 0, to: 5},
		{name: 'grasp\u001b[2J', from: 5, to: 10},
	];
	const lines = (cursor?: number) =>
		seriesLines(
			{...known, drawn: {...series, markers}},
			{place: {...plotStart, cursor}, chosen: undefined, screen: unicode, width: 60, rows: 30},
		).map(textOf);
	const place = lines().findIndex(line => line.startsWith(' subtasks: '));
	expect(lines()[place]).toMatch(/^ subtasks: 0\.0 s reach · 5\.0 s grasp/);
	expect(lines().join('')).not.toContain('\u001b');
	expect(lines()[place - 1]).toBe(` │${'─'.repeat(28)}│${'─'.repeat(28)}`);
	expect(lines(0.3)).toContain(' subtask: reach');
	expect(drawn().some(line => line.includes('subtask'))).toBe(false);
});

test.each([20, 60, 118, 198])('no line is wider than the %d cells that there are', width => {
	for (const screen of [ascii, unicode]) {
		const lines = seriesLines(known, {place: plotStart, chosen: undefined, screen, width, rows: 30});
		// Words are cut where they are drawn; what is drawn is not.
		for (const line of lines.filter(each => !/[a-z]{3}/.test(textOf(each)))) {
			expect(lineWidth(line)).toBeLessThanOrEqual(width);
		}
	}
});

test('without Unicode plots are ASCII; for a screen reader there are figures alone', () => {
	const plain = drawn(ascii).join('\n');
	expect(plain).toMatch(/^[\x20-\x7e\n]*$/);
	expect(plain).toContain('*');
	const words = drawn(spoken, 0.5);
	expect(words.every(line => /[a-z\d]/.test(line))).toBe(true);
	expect(words).toContain(" speed  50..51 - siblings' median 20");
});

test('a sentence shows while the series loads, and where it cannot be read', () => {
	const look = {place: plotStart, chosen: undefined, screen: unicode, width: 60, rows: 30};
	const nothing = {...known, overview: undefined, drawn: undefined};
	expect(seriesLines(nothing, look).map(textOf)).toEqual([' loading the time series']);
	expect(seriesLines({...nothing, failure: 'the folder is gone'}, look).map(textOf)).toEqual([
		' no time series: the folder is gone',
	]);
	expect(shortSeriesLine(nothing, look)).toEqual([]);
	expect(shortSeriesLine(known, look).map(textOf)[0]).toMatch(/^ speed ▁+▂.*█ action\.gripper ▁.*█$/);
});

const episode = {
	episode_id: 'e',
	frame_count: 100,
	duration_seconds: 10,
	metrics: {speed_p10: 1, speed_p50: 5, speed_p90: 10, sparc: -4},
} as unknown as LakeEpisode;

test('without a time series, three percentiles are drawn and named', () => {
	const lines = percentileLines(episode, {screen: unicode, width: 13}).map(textOf);
	expect(lines[0]).toBe(' speed  10th, 50th and 90th percentile 1, 5, 10');
	expect(lines[2]).toBe(' the service has no time series');
	expect(lines[1]).toBe(' ─━━━━┼━━━━━');
	expect(percentileLines({...episode, metrics: {}}, {screen: unicode, width: 13})).toEqual([]);
});

test('a figure is shown among those of the others, with how many lie below', () => {
	const histogram = {
		count: 40,
		missing: 0,
		min: 0,
		median: 6,
		max: 20,
		low: 0,
		high: 20,
		bins: [10, 20, 10, 0],
	};
	const lines = figureLines(
		{field: 'duration_s', histogram, isSample: false},
		{
			episode,
			screen: unicode,
			width: 20,
		},
	).map(textOf);
	expect(lines[0]).toBe(' duration_s  10 · above about 75% of the 40 of the result, median 6');
	expect(lines[1]).toBe(' 0 ▅▅▅███▅▅▅    20');
	expect(lines[2]).toBe('          ↑ this one');
	expect(figuresOf(episode)).toEqual([
		'duration_s',
		'frame_count',
		'sparc',
		'speed_p10',
		'speed_p50',
		'speed_p90',
	]);
});
