import {expect, test} from 'vitest';
import {DetailPane} from '../../../source/panes/series/detail-pane.tsx';
import {explorerOf, until} from '../../store/support.ts';
import {drawn, sizes} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';
import {localDocument, recordLocal} from '../../support/recorded-local.ts';

const rising = Array.from({length: 100}, (_, at) => at);
const course = {min: rising, max: rising};

/** What an embedded service said of an episode of 10 s whose gripper closes steadily, with a pause from 2 to 4 s. */
const series = {
	episode_id: '00000000-0000-4000-8000-000000000001',
	dataset_name: 'fold-lab1.00',
	episode_index: 0,
	task: 'open the towel',
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
	progress: null,
	siblings: null,
};

async function shown(look: {readonly width: number; readonly height: number}, isFocused = true) {
	const service = await hosted({episodes: 40});
	recordLocal(service, {
		'/local/v1': localDocument(['series']),
		'/local/v1/ingests': {items: []},
		'/local/v1/episodes/*/series': series,
	});
	const explorer = explorerOf(service);
	await until(explorer.window.result, ({rowCount}) => rowCount === 40);
	await until(explorer.local.known, ({document}) => document !== undefined);
	const pane = drawn(<DetailPane {...look} focused={isFocused} beside={false} />, {
		explorer,
		...look,
		...(isFocused && {focused: 'detail'}),
	});
	return {explorer, pane};
}

test.each(sizes)('$width×$height: speed, its pause and the channels are drawn over the time', async size => {
	const {pane} = await shown(size);
	const rows = await pane.until(/speed {2}0 to 99[\s\S]*1 pause, 2\.0 s, marked above/);
	expect(rows.join('\n')).toMatch(/0\.0 s +10\.0 s/);
	expect(rows.join('\n')).toMatch(/action\.gripper {2}0 to 99 · state 0 to 99 \(dotted\)/);
	expect(rows.join('\n')).toMatch(/[\u2801-\u28ff]{10}/);
	expect(rows.every(row => row.length <= size.width)).toBe(true);
});

test('the cursor reads the values at a moment, and moves with the arrows', async () => {
	const {pane} = await shown({width: 80, height: 24});
	await pane.until(/speed {2}0 to 99/);
	pane.press('right');
	const before = (await pane.until(/speed {2}at \d|at \d+\.\d/)).join('\n');
	pane.press('right');
	await expect.poll(() => pane.rows().join('\n')).not.toBe(before);
});

test('below the table, where there is little room, one line shows the course', async () => {
	const {pane} = await shown({width: 80, height: 10}, false);
	const rows = await pane.until(/speed [▁▂▃▄▅▆▇█]+/);
	expect(rows.join('\n')).not.toMatch(/[\u2801-\u28ff]/);
});
