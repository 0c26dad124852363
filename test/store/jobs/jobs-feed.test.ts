import {expect, test} from 'vitest';
import {viewed} from '../../../source/store/state/view-transitions.ts';
import {refused} from '../../hosted-service/faults.ts';
import {jobAt, someAugmentations} from '../../hosted-service/jobs.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, until} from '../support.ts';

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
	await explorer.jobs.actions.stop(followed);
	expect(service.requests.filter(({path}) => path.endsWith('/cancel'))).toHaveLength(1);
	await until(explorer.jobs.known, known =>
		known.jobs.some(job => job.id === id && job.status === 'cancelled'),
	);
});

test('a job followed by hand that the service does not know is not listed, unless it was heard of', async () => {
	const {service, explorer} = await shown();
	const [unknown, named] = ['00000000-0000-4000-9000-00000000000e', '00000000-0000-4000-9000-00000000000f'];
	const isListed = (id: string) => explorer.jobs.known.getState().jobs.some(job => job.id === id);
	explorer.follow('jobs', unknown);
	await until(explorer.notices.messages, messages =>
		messages.some(({text}) => text === `The service knows no job with the id ${unknown}.`),
	);
	expect(isListed(unknown)).toBe(false);
	expect(explorer.remembered.state.getState().jobs).toEqual([]);
	// Who asks once more asks the service once more.
	service.state.jobs.set(unknown, jobAt(unknown, 'running', 0));
	explorer.follow('jobs', unknown);
	await until(explorer.jobs.known, ({jobs}) =>
		jobs.some(job => job.id === unknown && job.status === 'running'),
	);

	const held = Promise.withResolvers<void>();
	service.setFault('GET /v1/finetune/{job_id}', async exchange => {
		await held.promise;
		await refused(404, 'not yet')(exchange);
	});
	explorer.follow('jobs', named);
	const before = service.requests.length;
	service.state.events.publish({data: {job_id: named, status: 'running'}});
	// One that nobody knows has the list read: the event before it was heard by then.
	service.state.events.publish({data: {job_id: '00000000-0000-4000-9000-00000000000d', status: 'running'}});
	await expect
		.poll(() => service.requests.slice(before).some(({path}) => path === '/v1/jobs/list'))
		.toBe(true);
	held.resolve();
	await until(explorer.jobs.known, ({jobs}) =>
		jobs.some(job => job.id === named && job.trouble !== undefined),
	);
	expect(isListed(named)).toBe(true);
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
