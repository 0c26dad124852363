import {expect, test} from 'vitest';
import {BesidePanes} from '../../../source/panes/activity/beside-panes.tsx';
import {EventDetail, EventsPane} from '../../../source/panes/activity/events-pane.tsx';
import {WorkLines} from '../../../source/panes/activity/work-lines.tsx';
import {listOpenedAt, viewed} from '../../../source/store/state/view-transitions.ts';
import {identity} from '../../hosted-service/identity.ts';
import {explorerOf, until} from '../../store/support.ts';
import {drawn, sizes} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

const job = identity('job', 0, 0);

/** An explorer that listens, and that has heard of a job twice. */
async function listening() {
	const service = await hosted({episodes: 40});
	const explorer = explorerOf(service);
	explorer.listen();
	await until(explorer.live.state, ({phase}) => phase === 'live');
	explorer.update(viewed('events'));
	for (const step of [10, 20])
		service.state.events.publish({event: 'job.step', data: {job_id: job, status: 'running', step}});
	await until(explorer.live.log.known, ({entries}) => entries.length === 3);
	return {service, explorer};
}

async function events(look: {width: number; height: number}) {
	const {service, explorer} = await listening();
	const pane = drawn(<EventsPane {...look} focused />, {explorer, ...look, focused: 'events'});
	return {service, explorer, pane};
}

test.each(sizes)('$width×$height: the newest event comes first, with its state and its job', async size => {
	const {pane} = await events(size);
	const rows = await pane.until('1 of 3━');
	expect(rows[0]).toMatch(/^━ Events ━.*listening since \d\d:\d\d:\d\d · 1 of 3━$/);
	expect(rows[1]).toMatch(/^▸\d\d:\d\d:\d\d {2}job\.step +running +job 00000000$/);
	expect(rows[3]).toMatch(/^ \d\d:\d\d:\d\d {2}── .*─$/);
	expect(rows.every(row => row.length <= size.width)).toBe(true);
});

test('space pauses the list, counts what comes meanwhile, and goes on', async () => {
	const {service, explorer, pane} = await events({width: 80, height: 10});
	await pane.until('1 of 3━');
	pane.press('space');
	await pane.until('paused, 0 newer');
	service.state.events.publish({event: 'job.ended', data: {job_id: job, status: 'completed'}});
	await until(explorer.live.log.known, ({entries}) => entries.length === 4);
	const rows = await pane.until('paused, 1 newer');
	expect(rows.join('\n')).not.toContain('job.ended');
	pane.press('space');
	await pane.until(/job\.ended +completed/);
});

test('v shows the data of each event as it came', async () => {
	const {pane} = await events({width: 120, height: 10});
	await pane.until('1 of 3━');
	pane.press('v');
	await pane.until(/job\.step .*"step":20/);
	pane.press('v');
	await pane.until(/job\.step +running/);
});

test.each(sizes)(
	'$width×$height: an event shows its data, and enter goes to the job it names',
	async size => {
		const {explorer} = await listening();
		const newest = explorer.live.log.known.getState().entries.at(-1)?.number;
		explorer.update(listOpenedAt('events', String(newest)));
		const pane = drawn(<EventDetail {...size} focused beside={false} />, {
			explorer,
			...size,
			focused: 'events-detail',
		});
		const rows = await pane.until(/▸job /);
		expect(rows[0]).toContain('━ job.step ━');
		expect(rows.join('\n')).toMatch(/"step": 20/);
		expect(rows.every(row => row.length <= size.width)).toBe(true);
		pane.press('enter');
		await expect.poll(() => explorer.state.getState().view).toBe('jobs');
	},
);

test.each([80, 200])(
	'%i columns: each dataset that is being sent has a line, the newest two at most',
	async width => {
		const explorer = explorerOf(await hosted({episodes: 40}));
		const pane = drawn(<WorkLines width={width} />, {explorer, width, height: 3});
		for (const subject of ['towels', 'cups', 'bowls'])
			explorer.work
				.begin({subject, loss: 'Nothing uploaded yet.'}, () => undefined)
				.notify({step: 'sending', share: 0.5, amount: '5 MiB of 10 MiB'});
		const rows = await pane.until('bowls');
		expect(rows.filter(row => row !== '').map(row => /cups|bowls|towels/.exec(row)?.[0])).toEqual([
			'cups',
			'bowls',
		]);
		expect(rows[1]).toMatch(/^ ○ bowls +▓{10}░{10} 5 MiB of 10 MiB sending$/);
		expect(rows.every(row => row.length <= width)).toBe(true);
	},
);

test.each([80, 200])('%i columns: jobs under way stand beside the lake, and all of them fit', async width => {
	const service = await hosted({episodes: 40});
	const explorer = explorerOf(service);
	const pane = drawn(<BesidePanes width={width} height={5} />, {explorer, width, height: 5});
	explorer.jobs.show(true);
	const {jobs} = await until(explorer.jobs.known, known => known.jobs.length === 3);
	explorer.jobs.look(jobs.map(({id}) => id));
	const rows = await pane.until('running');
	expect(rows[0]).toMatch(/^─ Jobs ─+$/);
	expect(rows[1]).toMatch(/● running .*●train/);
	// What ended long ago is in its own view.
	expect(rows.join('\n')).not.toMatch(/failed|completed/);
	expect(rows.every(row => row.length <= width)).toBe(true);
});
