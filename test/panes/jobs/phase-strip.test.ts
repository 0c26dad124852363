import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {lineWidth, type Segment} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import {phaseStrip, stripWidths} from '../../../source/panes/jobs/job-row.ts';
import {timingsOf} from '../../../source/store/jobs/job-entry.ts';

const segmentText = (segment: Segment) => (typeof segment === 'string' ? segment : segment.text);

const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 10, minute)).toISOString();
const timings = timingsOf({
	phases: [
		{name: 'queue', status: 'completed', events: [{timestamp: at(0)}, {timestamp: at(1)}]},
		{name: 'provisioning', status: 'completed', events: [{timestamp: at(1)}, {timestamp: at(3)}]},
		{
			name: 'training',
			status: 'in_progress',
			events: [{timestamp: at(3)}, {timestamp: at(30), retry_attempt: 2}],
		},
		{name: 'uploading', status: 'pending', events: []},
	],
});
const screenOf = (unicode: boolean) =>
	createScreen({colour: false, attributes: false, ascii: !unicode}, signsFor({unicode}));
const now = Date.UTC(2026, 4, 1, 12);

test.each([0, 1, 3, 7, 12, 20, 40, 80, 160])('a strip takes exactly %i cells', width => {
	for (const unicode of [true, false]) {
		expect(lineWidth(phaseStrip(timings, {width, screen: screenOf(unicode), now}))).toBe(width);
	}
});

test('a short phase beside one of hours can still be read', () => {
	const names = (again: string) => ['✓queue', '✓provisioning', `●training${again}`, '○uploading'];
	const text = (width: number) =>
		phaseStrip(timings, {width, screen: screenOf(true), now})
			.map(segmentText)
			.join('');
	const whole = names(', 2 retries').join(' ').length + 1;
	for (const name of names(', 2 retries')) expect(text(whole)).toContain(name);
	for (const name of names(' +2')) expect(text(whole - 1)).toContain(name);
});

test('room that names leave is shared by duration', () => {
	expect(stripWidths([4, 4], [100, 300], 49)).toEqual([14, 34]);
	expect(stripWidths([], [], 10)).toEqual([]);
});
