import {expect, test} from 'vitest';
import {JobsPane} from '../../../source/panes/jobs/jobs-pane.tsx';
import {viewed} from '../../../source/store/state/view-transitions.ts';
import type {HostedService} from '../../hosted-service/server.ts';
import {explorerOf, until} from '../../store/support.ts';
import {drawn, sizes} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';

async function shown(
	{width, height}: {width: number; height: number},
	prepare: (service: HostedService) => void = () => undefined,
) {
	const service = await hosted({episodes: 40});
	prepare(service);
	const explorer = explorerOf(service);
	explorer.update(viewed('jobs'));
	await until(explorer.jobs.known, ({freshness}) => freshness.state === 'fresh');
	const look = {width, height};
	return {
		service,
		explorer,
		pane: drawn(<JobsPane {...look} focused />, {explorer, ...look, focused: 'jobs'}),
	};
}

test.each(sizes)(
	'$width×$height: the running job comes first, with its phases beside one another',
	async size => {
		const {pane} = await shown(size);
		const rows = await pane.until(/running[\s\S]*failed[\s\S]*completed/);
		expect(rows[1]).toMatch(/^▸.*● running .*✓provisioning.*│●training/);
		expect(rows.slice(1, 4).map(row => /running|failed|completed/.exec(row)?.[0])).toEqual([
			'running',
			'failed',
			'completed',
		]);
		expect(rows.every(row => row.length <= size.width)).toBe(true);
	},
);

test('F leaves the jobs with a fault, and lists all again', async () => {
	const {pane} = await shown({width: 80, height: 10});
	await pane.until('1 of 3━');
	pane.press('F');
	const rows = await pane.until(/faults only.*of [12]━/);
	expect(rows.join('\n')).toContain('failed');
	expect(rows.join('\n')).not.toContain('completed');
	pane.press('F');
	await pane.until('of 3━');
});

test('enter opens the job at the pointer', async () => {
	const {explorer, pane} = await shown({width: 80, height: 10});
	await pane.until('1 of 3━');
	pane.press('j', 'enter');
	await expect.poll(() => explorer.state.getState().lists.jobs).toMatchObject({opened: true});
});

test('stopping asks first where the job is an augmentation, and the question names it', async () => {
	const {service, explorer, pane} = await shown({width: 100, height: 10});
	const [id = ''] = service.state.augmentations.keys();
	explorer.follow('jobs', id);
	await pane.until('of 4━');
	await until(explorer.jobs.known, ({jobs}) => jobs.some(job => job.id === id && job.status === 'running'));
	const place = explorer.jobs.known.getState().jobs.findIndex(job => job.id === id);
	pane.press('g', ...Array<string>(place).fill('j'), 'x');
	await expect.poll(() => explorer.state.getState().question?.title).toBe('Cancel the augmentation?');
	expect(service.requests.some(({path}) => path.endsWith('/cancel'))).toBe(false);
});

test('an account without jobs says so, and which key follows one by its id', async () => {
	const {pane} = await shown({width: 80, height: 10}, ({state}) => {
		state.jobItems.length = 0;
		state.jobs.clear();
	});
	const rows = await pane.until('No jobs.');
	expect(rows.join('\n')).toMatch(/f follows an augmentation or other job by its id/);
});

test('where no job has a fault, F says so and names the key that lists all again', async () => {
	const {pane} = await shown({width: 80, height: 10}, ({state}) => {
		for (const [id, job] of state.jobs) {
			if (job.status !== 'completed') state.jobs.delete(id);
			// Without the retry, which counts as a fault.
			else state.jobs.set(id, {...job, phases: []});
		}
		state.jobItems = state.jobItems.filter(({job_id}) => state.jobs.has(job_id));
	});
	await pane.until(/1 of 1━[\s\S]*completed/);
	pane.press('F');
	await pane.until(/No faults in any of 1 job\.\n F lists all of them/);
});
