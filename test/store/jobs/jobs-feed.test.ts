import {expect, test} from 'vitest';
import {viewed} from '../../../source/store/view-transitions.ts';
import {refused} from '../../hosted-service/faults.ts';
import {jobAt, someAugmentations} from '../../hosted-service/jobs.ts';
import {explorerOf, hosted, until} from '../support.ts';

async function shown() {
	const service = await hosted({episodes: 20});
	const explorer = explorerOf(service);
	explorer.listen();
	await until(explorer.live.state, state => state.phase === 'live');
	explorer.update(viewed('jobs'));
	const {jobs} = await until(explorer.jobs.known, known => known.jobs.length === 3);
	explorer.jobs.look(jobs.map(({id}) => id));
	await until(explorer.jobs.known, known => known.jobs.every(({status}) => status !== undefined));
	return {service, explorer};
}

test('jobs are listed with their statuses, what runs first', async () => {
	const {explorer} = await shown();
	const statuses = explorer.jobs.known.getState().jobs.map(({status}) => status);
	expect(statuses[0]).toBe('running');
	expect(statuses.toSorted()).toEqual(['completed', 'failed', 'running']);
});

test('an event that names a job brings its status', async () => {
	const {service, explorer} = await shown();
	const [running] = explorer.jobs.known.getState().jobs;
	if (running === undefined) throw new Error('no job');
	service.state.jobs.set(running.id, jobAt(running.id, 'completed', 2));
	service.state.events.publish({data: {finetune_job_id: running.id}});
	await until(explorer.jobs.known, ({jobs}) => jobs.every(({status}) => status !== 'running'));
});

test('a job that began elsewhere is listed once an event has named it', async () => {
	const {service, explorer} = await shown();
	const id = '00000000-0000-4000-9000-00000000000a';
	service.state.jobs.set(id, jobAt(id, 'running', 0));
	service.state.jobItems.push({job_id: id, project_id: id});
	service.state.events.publish({data: {job_id: id, status: 'running'}});
	await until(explorer.jobs.known, ({jobs}) => jobs.some(job => job.id === id && job.kind === 'fine-tune'));
});

test('an augmentation is followed by its id, found out to be one, and cancelled', async () => {
	const {service, explorer} = await shown();
	const id = someAugmentations()[0]?.job_id ?? '';
	explorer.follow('jobs', id);
	const {jobs} = await until(explorer.jobs.known, known =>
		known.jobs.some(job => job.id === id && job.kind === 'augmentation'),
	);
	const followed = jobs.find(job => job.id === id);
	if (followed === undefined) throw new Error('not followed');
	await explorer.jobs.deeds.stop(followed);
	expect(service.requests.filter(({path}) => path.endsWith('/cancel'))).toHaveLength(1);
	await until(explorer.jobs.known, known =>
		known.jobs.some(job => job.id === id && job.status === 'cancelled'),
	);
});

test('a job whose status cannot be had is listed all the same, with the reason', async () => {
	const service = await hosted({
		episodes: 20,
		faults: {'GET /v1/finetune/{job_id}': refused(500, 'the scheduler is away')},
	});
	const explorer = explorerOf(service);
	explorer.update(viewed('jobs'));
	const {jobs} = await until(explorer.jobs.known, known => known.jobs.length === 3);
	explorer.jobs.look(jobs.map(({id}) => id));
	const known = await until(explorer.jobs.known, state =>
		state.jobs.every(({trouble}) => trouble !== undefined),
	);
	expect(known.jobs[0]?.trouble).toContain('the scheduler is away');
});
