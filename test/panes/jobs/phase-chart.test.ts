import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {lineWidth, type Segment} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import {chartSpan, phaseChart} from '../../../source/panes/jobs/job-lines.ts';
import {timingsOf} from '../../../source/store/jobs/job-entry.ts';

const segmentText = (segment: Segment) => (typeof segment === 'string' ? segment : segment.text);

const screen = createScreen({colour: false, attributes: false, ascii: false}, signsFor({unicode: true}));
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute)).toISOString();
const timings = timingsOf({
	phases: [
		{name: 'queue', status: 'completed', events: [{timestamp: at(0)}, {timestamp: at(10)}]},
		{
			name: 'training',
			status: 'in_progress',
			events: [
				{timestamp: at(10)},
				{timestamp: at(20), retry_attempt: 1},
				{timestamp: at(30), retry_attempt: 2},
			],
		},
	],
});
const now = Date.UTC(2026, 4, 1, 10, 40);

test('retries stand on the bar by their number, in order, and no line is wider than it may be', () => {
	const lines = phaseChart(timings, {width: 80, screen, now});
	const training = lines[1]?.map(segmentText).join('') ?? '';
	expect(training).toMatch(/training.*│.*1▓+2▓+ 30 m, 2 retries/);
	for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(80);
	expect(lines.at(-1)?.map(segmentText).join('')).toMatch(/UTC/);
});

test('a service whose clock is ahead is drawn whole', () => {
	const behind = Date.UTC(2026, 4, 1, 9);
	expect(chartSpan(timings, behind)?.to).toBe(Date.parse(at(30)));
	expect(phaseChart(timings, {width: 60, screen, now: behind})).toHaveLength(3);
});

test('a job without event times has no axis', () => {
	const bare = timingsOf({phases: [{name: 'queue', status: 'pending', events: null}]});
	expect(chartSpan(bare, now)).toBeUndefined();
	expect(phaseChart(bare, {width: 80, screen, now})).toHaveLength(1);
});
