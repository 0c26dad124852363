import {readFileSync} from 'node:fs';
import {beforeEach, expect, test} from 'vitest';
import {jobStatus} from '../../../source/contract/job-status.ts';
import {datasetListResponse, modelListResponse} from '../../../source/contract/listing.ts';
import {jobLog} from '../../../source/contract/local-jobs.ts';
import {ownJobList, ownModelList} from '../../../source/contract/own-lists.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {call} from '../support/call.ts';
import {
	ended,
	frontKey,
	letGo,
	order,
	project,
	started,
	trainingHome,
	until,
	wristKey,
} from '../support/training-home.ts';

const home = trainingHome();
const lake = home.lake();
let service: JoinedService;

beforeEach(async () => {
	service = await home.serve({lake});
});

test('4.3 POST /v1/finetune runs this machine’s trainer to its end, and its model is listed', async () => {
	const answer = await order(service, {name: 'fold 1'});
	expect(answer.status).toBe(200);
	const created = answer.json<{job_id: string; status: string; message: string}>();
	expect(created).toMatchObject({status: 'queued', message: expect.stringContaining('lerobot-train')});
	expect(created.message).not.toContain('rehearsal');
	const job = await until(service, created.job_id, ended);
	expect(job).toMatchObject({
		status: 'completed',
		name: 'fold 1',
		rehearsal: false,
		current_phase: 'saving',
		step: 40,
		steps: 40,
		steps_per_second: 100,
		loss: 2.125,
		checkpoint: {step: 40},
		pid: null,
		retries: 0,
	});
	expect(job.phases.map(({name, status}) => [name, status])).toEqual(
		['provisioning', 'dataset', 'model', 'training', 'saving'].map(name => [name, 'completed']),
	);

	const status = await call(service, `/v1/finetune/${created.job_id}`);
	expect(jobStatus.parse(status.json())).toMatchObject({
		job_id: created.job_id,
		status: 'completed',
		current_phase: 'saving',
		phases: job.phases,
	});
	const listed = ownJobList.parse((await call(service, '/v1/jobs/list')).json());
	expect(listed.items.find(({job_id}) => job_id === created.job_id)).toMatchObject({
		project_id: await project(service),
		use_rabc: false,
		dataset_path: 'local/cups',
		rehearsal: false,
	});

	const models = ownModelList.parse((await call(service, '/v1/models/list')).json());
	const model = models.items.find(item => item.jobs?.some(({job_id}) => job_id === created.job_id));
	expect(model).toMatchObject({
		artifact_id: job.model?.artifact_id,
		subtype: 'vla_model',
		path: job.model?.path,
		metadata: {vla_type: 'act', steps: 40, dataset_path: 'local/cups'},
		jobs: [{job_id: created.job_id, direction: 'output'}],
	});
	expect(readFileSync(`${model?.path}/model.safetensors`, 'utf8')).toBe('weights of step 40\n');
});

test('4.15 GET /v1/finetune/{job_id} tells of a job’s phases as it goes, and knows no other', async () => {
	const status = async (jobId: string) => call(service, `/v1/finetune/${jobId}`);
	const phasesOf = async (jobId: string) => {
		const {phases, ...rest} = jobStatus.parse((await status(jobId)).json());
		return {...rest, phases: phases?.map(phase => `${phase.name} ${phase.status}`)};
	};
	const jobId = await started(service, {name: 'waits at 10'});
	await until(service, jobId, ({step}) => step === 10);
	expect(await phasesOf(jobId.toUpperCase())).toMatchObject({
		job_id: jobId,
		status: 'running',
		current_phase: 'training',
		phases: [
			'provisioning completed',
			'dataset completed',
			'model completed',
			'training in_progress',
			'saving pending',
		],
	});
	await letGo(lake, jobId);
	await until(service, jobId, ended);
	expect(await phasesOf(jobId)).toMatchObject({status: 'completed', current_phase: 'saving'});
	const unknown = await status('0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d');
	expect([unknown.status, unknown.json()]).toEqual([404, {detail: expect.stringContaining('0b7d1c60')}]);
	expect((await status('no-id')).status).toBe(422);
});

test('4.9 GET /v1/models/list shows each model once, page by page, the newest first', async () => {
	for (const name of ['m1', 'm2', 'm3']) await until(service, await started(service, {name}), ended);
	const names: unknown[] = [];
	let cursor = '';
	for (let hasNext = true; hasNext; ) {
		const answer = await call(service, `/v1/models/list?limit=2${cursor}`);
		const {items, page_info} = ownModelList.parse(answer.json());
		expect(items.length).toBeLessThanOrEqual(2);
		names.push(...items.map(({metadata}) => metadata?.name));
		cursor = `&cursor=${page_info.end_cursor}`;
		hasNext = page_info.has_next;
	}
	expect(names.slice(0, 3)).toEqual(['m3', 'm2', 'm1']);
	const all = ownModelList.parse((await call(service, '/v1/models/list?limit=1000&sort=oldest')).json());
	expect(all.items.map(({metadata}) => metadata?.name)).toEqual(names.toReversed());
	expect(all.page_info.total_count).toBe(names.length);
});

test('4.6 GET /v1/datasets/list links a dataset to its jobs, and filters by them', async () => {
	await home.ingest(service, 'plates');
	const own = await project(service, 'plates only');
	const jobId = await started(service, {project_id: own, dataset_id: 'plates'});
	const list = async (query: string) => {
		const answer = await call(service, `/v1/datasets/list?${query}`);
		expect(answer.status).toBe(200);
		return datasetListResponse.parse(answer.json()).items;
	};
	const paths = async (query: string) => (await list(query)).map(({path}) => path);
	expect((await list('search=plates'))[0]?.jobs).toEqual([{job_id: jobId, direction: 'input'}]);
	expect(await paths(`job_id=${jobId}`)).toEqual(['local/plates']);
	expect(await paths(`project_id=${own.toUpperCase()}&direction=input`)).toEqual(['local/plates']);
	expect(await paths(`job_id=${jobId}&direction=output`)).toEqual([]);
	expect(await paths('direction=input&search=plates')).toEqual(['local/plates']);
	await until(service, jobId, ended);
});

test('a job’s log can be read in bounded pieces that make the whole', async () => {
	const jobId = await started(service, {name: 'paints'});
	const job = await until(service, jobId, ended);
	const whole = readFileSync(job.log.path, 'utf8');
	expect(whole).toContain('███');
	let text = '';
	for (let offset = 0; offset < job.log.size; ) {
		const answer = await call(service, `/local/v1/jobs/${jobId}/log?offset=${offset}&limit=101`);
		const piece = jobLog.parse(answer.json());
		expect(piece).toMatchObject({job_id: jobId, offset, size: job.log.size});
		expect(Buffer.byteLength(piece.text)).toBeLessThanOrEqual(101);
		expect(piece.next_offset).toBeGreaterThan(offset);
		text += piece.text;
		offset = piece.next_offset;
	}
	expect(text).toBe(whole);
	const tail = jobLog.parse((await call(service, `/local/v1/jobs/${jobId}/log?offset=-40`)).json());
	expect(whole.endsWith(tail.text)).toBe(true);
	expect((await call(service, `/local/v1/jobs/${jobId}/log?limit=1048577`)).status).toBe(422);
});

test('a bar’s steps are the job’s, also where no line tells of them', async () => {
	const jobId = await started(service, {
		name: 'paints, waits at 7',
		vla_hyper_spec: {steps: 40, save_freq: 20, log_freq: 1000},
	});
	await until(service, jobId, ({step}) => step === 6);
	await call(service, `/local/v1/jobs/${jobId}/stop`, {method: 'POST'});
	await until(service, jobId, ended);
});

test('jobs run one at a time, in the order in which they came', async () => {
	const first = await started(service, {name: 'waits at 10'});
	const second = await started(service);
	await until(service, first, ({step}) => step === 10);
	expect((await until(service, second, () => true)).status).toBe('queued');
	await call(service, `/local/v1/jobs/${first}/stop`, {method: 'POST'});
	const [one, two] = [await until(service, first, ended), await until(service, second, ended)];
	expect([one.status, two.status]).toEqual(['cancelled', 'completed']);
	expect(Date.parse(two.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(one.ended_at ?? ''));
});

test('a model that was made here is trained on by its artifact’s id', async () => {
	const base = await until(service, await started(service), ended);
	const jobId = await started(service, {
		vla_type: 'smolvla',
		model_id: base.model?.artifact_id,
		camera_mappings: {camera2: wristKey, 'observation.images.camera1': frontKey},
	});
	const job = await until(service, jobId, ended);
	expect(job.status).toBe('completed');
	expect(job.command).toContain(`--policy.path=${base.model?.path}`);
	expect(job.command).toContain('--policy.empty_cameras=1');
	const rename = job.command.find(word => word.startsWith('--rename_map='));
	expect(JSON.parse(rename?.slice('--rename_map='.length) ?? '')).toEqual({
		[wristKey]: 'observation.images.camera2',
		[frontKey]: 'observation.images.camera1',
	});
	const models = modelListResponse.parse((await call(service, '/v1/models/list')).json());
	const used = models.items.find(({artifact_id}) => artifact_id === base.model?.artifact_id);
	expect(used?.jobs).toEqual([
		{job_id: jobId, direction: 'input'},
		{job_id: base.job_id, direction: 'output'},
	]);
});
