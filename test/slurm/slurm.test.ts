import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createRandom} from '../../source/sample/random.ts';
import type {JoinedService} from '../../source/service/front-door.ts';
import {call} from '../service/support/call.ts';
import {processesOver} from '../service/support/service-home.ts';
import {
	ended,
	jobOf,
	type OrderFields,
	order,
	started,
	trainingHome,
	until,
} from '../service/support/training-home.ts';
import {standIn} from '../support/trainer/stand-in.ts';
import {noSlurm, type OneNode, startOneNode} from './one-node.ts';

const rounds = process.env.LAKESCOPE_SOAK === '1' ? 200 : 20;

const home = trainingHome();
const shared = path.join(home.root, 'shared');
const lake = home.lake();

process.env.LAKESCOPE_SLURM_POLL_MS = '200';
process.env.LAKESCOPE_SLURM_SETTLE_MS = '1500';
// Secrets of the lake that no trainer may see.
process.env.CLICKHOUSE_PASSWORD = 'secret of the lake';
process.env.LAKESCOPE_LAKE = '';

function configure(): void {
	const folder = path.join(process.env.XDG_CONFIG_HOME ?? '', 'lakescope');
	mkdirSync(folder, {recursive: true});
	const slurm = {kind: 'slurm', partition: 'gpu', sharedDir: shared, command: [standIn]};
	const trainers = {
		lab: {...slurm, prologue: ['env >environment', 'export LAB=1']},
		whole: {...slurm, cpus: 8},
		unshared: {...slurm, paths: {[shared]: '/nowhere/shared'}},
		nowhere: {...slurm, partition: 'nowhere'},
		brief: {...slurm, partition: 'short'},
	};
	writeFileSync(path.join(folder, 'config.json'), JSON.stringify({trainers}));
}

describe.skipIf(noSlurm !== undefined)(`on a real SLURM${noSlurm ? `, which ${noSlurm}` : ''}`, () => {
	let node: OneNode;
	let service: JoinedService;
	let outOfTime: string;

	beforeAll(async () => {
		node = startOneNode(path.join(home.root, 'slurm'));
		mkdirSync(shared);
		configure();
		service = await home.serve({lake});
		outOfTime = await launched({name: 'waits at 25', hours: 0.01});
		// One that waits itself would have a place before the others.
		await until(service, outOfTime, ({step}) => step === 25);
	});
	afterAll(() => {
		for (const id of node.run('squeue', '-h', '-o', '%i').split('\n').filter(Boolean))
			node.run('scancel', id);
		node.stop();
	});

	const launched = (fields: OrderFields) => started(service, {instance_type: 'lab', ...fields});
	const go = (jobId: string) => writeFileSync(path.join(shared, jobId, 'go'), '');
	const slurmId = (jobId: string) => readFileSync(path.join(shared, jobId, 'slurm-1'), 'utf8').trim();

	async function killService(): Promise<void> {
		process.kill(service.pid, 'SIGKILL');
		await expect.poll(() => processesOver(`--lake\0${lake}\0`)).toEqual([]);
		service = await home.serve({lake});
	}

	test('a fine-tune waits with its reason and place, runs, is logged and yields a model', async () => {
		const first = await launched({instance_type: 'whole', name: 'waits at 10'});
		// The node has eight cores, and the job that runs out of its time has one.
		const waits = await until(
			service,
			first,
			({standing}) => standing?.waits === true && standing.reason !== null && standing.place !== null,
		);
		expect(waits).toMatchObject({
			status: 'queued',
			started_at: null,
			standing: {waits: true, id: slurmId(first)},
		});
		expect(waits.message).toMatch(
			/^SLURM job \d+ of "whole": PENDING \((Resources|Priority)\), 1st of 1 in the queue of gpu\.$/,
		);
		await call(service, `/local/v1/jobs/${first}/stop`, {method: 'POST'});
		expect(await until(service, first, ended)).toMatchObject({status: 'cancelled', standing: null});
		const second = await launched({});
		const done = await until(service, second, ended);
		expect(done).toMatchObject({status: 'completed', step: 40, retries: 0, checkpoint: {step: 40}});
		expect(done.model?.path).toBe(path.join(shared, second, 'output/checkpoints/000040/pretrained_model'));
		const log = await call(service, `/local/v1/jobs/${second}/log`);
		expect(log.text).toContain('End of training');
		const series = (await call(service, `/local/v1/jobs/${second}/series`)).json<{steps: number[]}>();
		expect(series.steps).toEqual([5, 10, 15, 20, 25, 30, 35, 40]);
		const notes = done.phases.flatMap(({events}) => events.map(({note}) => note ?? ''));
		expect(notes.join('\n')).toMatch(/SLURM job \d+ of "lab": RUNNING on \S+\./);
		expect(node.run('squeue', '-h', `--jobs=${slurmId(outOfTime)}`, '-o', '%T').trim()).toBe('RUNNING');
	});

	test('a trainer’s environment has nothing of the lake’s', async () => {
		const jobId = await launched({});
		await until(service, jobId, ended);
		const environment = readFileSync(path.join(shared, jobId, 'environment'), 'utf8');
		expect(environment).toMatch(/^SLURM_JOB_ID=/m);
		expect(environment).not.toMatch(/^(LAKESCOPE|CLICKHOUSE)_|secret of the lake/m);
	});

	test('one that is requeued goes on from its checkpoint, and its timeline with it', async () => {
		const jobId = await launched({name: 'waits at 25'});
		await until(service, jobId, ({step}) => step === 25);
		node.run('scontrol', 'requeue', slurmId(jobId));
		await until(
			service,
			jobId,
			({standing}) => (standing?.restarts ?? 0) === 1 && standing?.state === 'RUNNING',
		);
		go(jobId);
		const done = await until(service, jobId, ended);
		expect(done).toMatchObject({status: 'completed', step: 40, retries: 0});
		const notes = done.phases.flatMap(({events}) => events.map(({note}) => note ?? '')).join('\n');
		expect(notes).toMatch(/: it was requeued\.\n[\s\S]*RUNNING on \S+, begun again once\./);
		expect(readFileSync(done.log.path, 'utf8').match(/Start offline training/g)).toHaveLength(2);
	});

	test('one that is stopped, here or by scancel elsewhere, is cancelled and leaves nothing in the queue', async () => {
		const here = await launched({name: 'waits at 25'});
		const elsewhere = await launched({name: 'waits at 25'});
		for (const jobId of [here, elsewhere]) await until(service, jobId, ({step}) => step === 25);
		await call(service, `/local/v1/jobs/${here}/stop`, {method: 'POST'});
		node.run('scancel', slurmId(elsewhere));
		expect(await until(service, here, ended)).toMatchObject({status: 'cancelled', checkpoint: {step: 20}});
		expect(await until(service, elsewhere, ended)).toMatchObject({
			status: 'cancelled',
			message: expect.stringMatching(/SLURM job \d+ is CANCELLED/),
		});
		expect(node.run('squeue', '-h', `--jobs=${slurmId(here)}`, '-o', '%T')).not.toContain('RUNNING');
	});

	test('one that ended while the service was gone, and has left squeue, is known by what it left', async () => {
		const jobId = await launched({name: 'waits at 25'});
		await until(service, jobId, ({step}) => step === 25);
		const id = slurmId(jobId);
		process.kill(service.pid, 'SIGKILL');
		await expect.poll(() => processesOver(`--lake\0${lake}\0`)).toEqual([]);
		go(jobId);
		await expect.poll(() => existsSync(path.join(shared, jobId, 'exit-1'))).toBe(true);
		const listed = () => node.run('squeue', '-h', '--states=all', '-o', '%i').split('\n');
		await expect.poll(listed).not.toContain(id);
		service = await home.serve({lake});
		expect(await until(service, jobId, ended)).toMatchObject({status: 'completed', step: 40, retries: 0});
	});

	test('slurmctld that is down is told of, costs no job that runs, and a new one waits for it', async () => {
		const running = await launched({name: 'waits at 25'});
		await until(service, running, ({step}) => step === 25);
		node.controller('end');
		const told = await until(service, running, ({standing}) => standing?.state === 'UNKNOWN');
		expect(told.message).toMatch(/SLURM has not answered since .*; the training goes on\./);
		go(running);
		const waiting = await launched({});
		await until(service, running, ({step}) => step === 40);
		node.controller('start');
		expect(await until(service, running, ended)).toMatchObject({status: 'completed', retries: 0});
		expect(await until(service, waiting, ended)).toMatchObject({status: 'completed', retries: 0});
		expect(
			readFileSync(path.join(shared, waiting, 'train.log'), 'utf8').match(/End of training/g),
		).toHaveLength(1);
	});

	test('what cannot run says why: no such partition or trainer, a job that sbatch refuses, a folder not shared', async () => {
		const detail = async (fields: OrderFields) => (await order(service, fields)).text;
		expect(await detail({instance_type: 'nowhere'})).toContain(
			'the cluster has no partition \\"nowhere\\". It has gpu, short',
		);
		expect(await detail({instance_type: 'cloud'})).toContain('Known: local, lab, whole');
		expect(await detail({instance_type: 'lab', region: 'mars'})).toContain('no partition \\"mars\\"');
		const [refused, unshared] = [
			await launched({instance_type: 'brief', hours: 3}),
			await launched({instance_type: 'unshared'}),
		];
		expect(await until(service, refused, ended)).toMatchObject({
			status: 'failed',
			message: expect.stringMatching(/refuses the job: sbatch: .*time limit is invalid/),
		});
		expect(await until(service, unshared, ended)).toMatchObject({
			status: 'failed',
			message: expect.stringContaining('is not shared with the node'),
		});
	});

	test('a job whose hours are over ends with its last checkpoint', async () => {
		const done = await until(service, outOfTime, ended);
		expect(done).toMatchObject({status: 'completed', checkpoint: {step: 20}, retries: 0});
		expect(done.message).toContain('The 0.01 hours that it was given are over');
	});

	test(
		`a service killed at ${rounds} random points loses no job and trains none twice`,
		async () => {
			const random = createRandom('slurm');
			const jobs: string[] = [];
			for (let round = 0; round < rounds; round++) {
				jobs.push(await launched({vla_hyper_spec: {steps: 20, save_freq: 20, log_freq: 5}}));
				// The point is random: nothing that could be waited for tells of it.
				await delay(random.next() * 400);
				await killService();
			}
			for (const jobId of jobs) {
				const job = await until(service, jobId, ended);
				expect(job, JSON.stringify(job)).toMatchObject({status: 'completed', step: 20, retries: 0});
				expect(readFileSync(job.log.path, 'utf8').match(/End of training/g)).toHaveLength(1);
				expect((await jobOf(service, jobId)).model).not.toBeNull();
			}
			rmSync(path.join(shared, jobs[0] ?? ''), {recursive: true});
		},
		rounds * 15_000,
	);
});
