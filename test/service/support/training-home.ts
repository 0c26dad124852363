import {mkdirSync, readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {afterEach, expect, vi} from 'vitest';
import type {FinetuneRequest} from '../../../source/contract/finetune.ts';
import {type LocalJob, localJob} from '../../../source/contract/local-jobs.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {editInfo} from '../../support/dataset-damage.ts';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import type {FixtureOptions} from '../../support/lerobot-fixture.ts';
import {standIn} from '../../support/trainer/stand-in.ts';
import {type Address, call} from './call.ts';
import {processesOver, type ServiceHome, serviceHome} from './service-home.ts';

export const frontKey = 'observation.images.front';
export const wristKey = 'observation.images.wrist';

const patience = {timeout: 45_000, interval: 20};

/** Fields of a fine-tune request that a test does not leave at what `order` gives. */
export type OrderFields = {readonly [Field in keyof FinetuneRequest]?: unknown};

/** A dataset of two cameras, but for what is said here. */
type IngestOptions = FixtureOptions & {
	/** Changes its `meta/info.json`. */
	readonly edit?: (info: Record<string, unknown>) => void;
};

/** A place for lakes whose services train with the stand-in, or rehearse. */
export type TrainingHome = ServiceHome & {
	/** A service over a fresh lake that holds a dataset `cups` with two cameras. */
	serve(options?: {lake?: string; trainer?: string | undefined}): Promise<JoinedService>;
	/** Ingests a further dataset. */
	ingest(service: Address, name: string, options?: IngestOptions): Promise<string>;
};

/** Ends what trains below a folder, each with its group, which a command line does not tell of. */
function endTrainers(root: string): void {
	for (const pid of processesOver(root)) {
		try {
			if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/jobs/')) process.kill(-pid, 'SIGKILL');
		} catch {
			// No leader of a group, or it ended meanwhile.
		}
	}
}

/** To be called once a test file, outside of tests. */
export function trainingHome(): TrainingHome {
	const home = serviceHome();
	// What the person who runs the tests has configured is not to be read.
	process.env.XDG_CONFIG_HOME = path.join(home.root, 'config');
	mkdirSync(process.env.XDG_CONFIG_HOME, {recursive: true});
	process.env.LAKESCOPE_JOB_RETRY_MS = '50';
	process.env.LAKESCOPE_JOB_END_MS = '300';
	process.env.LAKESCOPE_REHEARSAL_MS = '150';
	afterEach(() => endTrainers(home.root));

	async function ingest(service: Address, name: string, options: IngestOptions = {}): Promise<string> {
		const folder = path.join(home.root, `${name}-${crypto.randomUUID().slice(0, 8)}`, name);
		const {edit, ...fixture} = options;
		await writeLerobotDataset(folder, {cameras: [frontKey, wristKey], ...fixture});
		if (edit) await editInfo(folder, edit);
		const answer = await call(service, '/local/v1/ingests', {body: {folder}});
		const {operation_id} = answer.json<{operation_id: string}>();
		await vi.waitFor(async () => {
			const status = await call(service, `/v1/datasets/sync-status/${operation_id}`);
			expect(status.json()).toMatchObject({phase: 'finalized'});
		}, patience);
		return folder;
	}

	return {
		...home,
		ingest,
		serve: async ({lake = home.lake(), ...options} = {}) => {
			const trainer = 'trainer' in options ? options.trainer : standIn;
			if (trainer === undefined) delete process.env.LAKESCOPE_TRAINER;
			else process.env.LAKESCOPE_TRAINER = trainer;
			const service = await home.join(lake);
			const held = await call(service, '/v1/datasets/cups/image-keys');
			if (held.status === 404) await ingest(service, 'cups');
			return service;
		},
	};
}

/** The id of a project of that name, made when it is not there. */
export async function project(service: Address, name = 'tests'): Promise<string> {
	const answer = await call(service, '/v1/projects', {body: {name}});
	expect(answer.status).toBe(200);
	return answer.json<{project_id: string}>().project_id;
}

/** A request for a short ACT training on `cups`, in a project that exists. */
export async function order(service: Address, fields: OrderFields = {}) {
	const body = {
		project_id: await project(service),
		vla_type: 'act',
		dataset_id: 'local/cups',
		hours: 1,
		camera_mappings: {front: frontKey},
		vla_hyper_spec: {steps: 40, save_freq: 20, log_freq: 5},
		...fields,
	};
	const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
	return call(service, '/v1/finetune', {body: given});
}

/** Starts a training, and gives its id. */
export async function started(service: Address, fields: OrderFields = {}): Promise<string> {
	const answer = await order(service, fields);
	expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('job_id')]);
	return answer.json<{job_id: string}>().job_id;
}

export async function jobOf(service: Address, jobId: string): Promise<LocalJob> {
	const answer = await call(service, `/local/v1/jobs/${jobId}`);
	expect(answer.status).toBe(200);
	return localJob.parse(answer.json());
}

/** Waits until a job is as a test wants it. */
export async function until(
	service: Address,
	jobId: string,
	is: (job: LocalJob) => boolean,
): Promise<LocalJob> {
	return vi.waitFor(async () => {
		const job = await jobOf(service, jobId);
		if (is(job)) return job;
		throw new Error(`the job stayed ${JSON.stringify(job)}`);
	}, patience);
}

export const ended = ({status}: LocalJob): boolean => !['queued', 'running'].includes(status);

/** Lets a trainer go on that waits. */
export async function letGo(lake: string, jobId: string): Promise<void> {
	await writeFile(path.join(lake, 'jobs', jobId, 'go'), '');
}
