import {existsSync} from 'node:fs';
import {mkdir, readdir} from 'node:fs/promises';
import path from 'node:path';
import {beforeAll, expect, test, vi} from 'vitest';
import {exploreResponse} from '../../../source/contract/explore.ts';
import {datasetListResponse} from '../../../source/contract/listing.ts';
import {ingestListResponse} from '../../../source/contract/local.ts';
import {
	type AugmentationRecord,
	augmentationCancelled,
	augmentationListResponse,
	augmentationRecord,
	ownAugmentationStatus,
} from '../../../source/contract/local-augmentations.ts';
import {syncStatus} from '../../../source/contract/sync-status.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {risingProgress, writeProgress} from '../../support/reward-progress.ts';
import {type Address, call} from '../support/call.ts';
import {endProcessesOver, processesOver, serviceHome} from '../support/service-home.ts';

/** A loaded machine takes its time for services and their children. */
vi.setConfig({testTimeout: 90_000});

const home = serviceHome();
const ordersAt = '/local/v1/augmentations';
let dataset: string;

/** Still for 30 frames, moving for 50, still again. */
const action = (frame: number, dim: number) => (dim + 1) * Math.min(Math.max(frame - 30, 0), 50);

beforeAll(async () => {
	dataset = path.join(home.root, 'cubes');
	await mkdir(dataset, {recursive: true});
	await writeLerobotDataset(dataset, {
		episodes: [
			{frames: 100, action},
			{frames: 100, action},
		],
	});
});

async function ingested(service: Address, folder = dataset): Promise<void> {
	expect((await call(service, '/local/v1/ingests', {body: {folder}})).status).toBe(202);
	const done = async () =>
		ingestListResponse
			.parse((await call(service, '/local/v1/ingests')).json())
			.items.every(({status}) => status.phase === 'finalized');
	await expect.poll(done, {timeout: 20_000, interval: 20}).toBe(true);
}

async function ordered(service: Address, body: object): Promise<AugmentationRecord> {
	const answer = await call(service, ordersAt, {body});
	expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('job_id')]);
	return augmentationRecord.parse(answer.json());
}

const record = async (service: Address, jobId: string) =>
	augmentationRecord.parse((await call(service, `${ordersAt}/${jobId}`)).json());

async function ended(service: Address, jobId: string): Promise<AugmentationRecord> {
	const over = async () => !['queued', 'running'].includes((await record(service, jobId)).status);
	await expect.poll(over, {timeout: 30_000, interval: 20}).toBe(true);
	return record(service, jobId);
}

const explore = async (service: Address, body: object) =>
	exploreResponse.parse((await call(service, '/v1/datasets/explore', {body})).json());

const names = async (service: Address, query = '') =>
	datasetListResponse
		.parse((await call(service, `/v1/datasets/list?${query}`)).json())
		.items.map(item => item.path);

test('4.16 GET /v1/augmentation/{job_id} tells of an augmentation to its end, whose children know their parents', async () => {
	const service = await home.join(home.lake());
	await ingested(service);
	const {job_id, credits, name} = await ordered(service, {dataset: 'local/cubes'});
	expect([name, credits]).toEqual([
		'cubes-trimmed',
		{reserved: 200, used: expect.any(Number), returned: 0, finalized_at: null},
	]);
	const done = await ended(service, job_id);
	expect(done).toMatchObject({
		status: 'completed',
		current_phase: 'ingesting',
		message: null,
		summary: {episodes: 2, frames_before: 200, frames_after: 102},
		progress: {done: 2, total: 2, frames: 200},
		problem_count: 0,
		credits: {reserved: 200, used: 200, returned: 0, finalized_at: expect.any(String)},
	});
	const status = ownAugmentationStatus.parse((await call(service, `/v1/augmentation/${job_id}`)).json());
	expect(status.phases.map(phase => [phase.name, phase.status])).toEqual([
		['trimming', 'completed'],
		['ingesting', 'completed'],
	]);
	const {augmented_dataset_id: child} = status;
	const children = await explore(service, {dataset_ids: [child], lineage: 'children'});
	const parents = await explore(service, {dataset_ids: [done.dataset_id]});
	expect([children.total, children.total_frames]).toEqual([2, 102]);
	expect(children.episodes.map(each => [each.parent_episode_id, each.parent_episode_index])).toEqual(
		parents.episodes.map(each => [each.episode_id, each.episode_index]),
	);
	expect(await names(service, `job_id=${job_id}&direction=output`)).toEqual(['local/cubes-trimmed']);
	expect(await names(service, `job_id=${job_id}&direction=input`)).toEqual(['local/cubes']);
	const sync = await call(service, `/v1/datasets/sync-status/${done.operation_id}`);
	expect(syncStatus.parse(sync.json())).toMatchObject({phase: 'finalized', episode_count: 2});

	const again = await ordered(service, {dataset: done.dataset_id});
	expect(again.name).toBe('cubes-trimmed-2');
	await ended(service, again.job_id);
	const [second] = (await explore(service, {search: 'cubes-trimmed-2'})).episodes;
	expect(second?.member_ordinal).toBe(1);
	const listed = augmentationListResponse.parse((await call(service, ordersAt)).json());
	expect(listed.items.map(item => item.job_id)).toEqual([again.job_id, job_id]);

	const late = await call(service, `/v1/augmentation/${job_id}/cancel`, {method: 'POST'});
	expect(augmentationCancelled.parse(late.json())).toEqual({
		job_id,
		status: 'completed',
		cancelled: false,
		credits: done.credits,
	});
	expect(await names(service, 'sort=name')).toContain('local/cubes-trimmed');
});

test('an order for what the lake has not, for no episodes, or under a name that is taken is refused', async () => {
	const service = await home.join(home.lake());
	await ingested(service);
	const progress = path.join(home.root, 'progress');
	await writeProgress(progress, risingProgress);
	await ingested(service, progress);
	const refusals: Array<[object, number, RegExp]> = [
		[{dataset: 'nothing'}, 404, /no dataset \\"nothing\\" in this lake/],
		[{dataset: 'progress'}, 422, /sarm_progress, which has no episodes to trim/],
		[{dataset: 'cubes', name: 'progress'}, 409, /The name progress is taken/],
		[{dataset: 'cubes', name: '../escape'}, 422, /"name"/],
		[{dataset: 'cubes', speed: 2}, 422, /"speed"/],
		[{}, 422, /"dataset"/],
	];
	for (const [body, status, detail] of refusals) {
		const answer = await call(service, ordersAt, {body});
		expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(detail)]);
	}
	expect(augmentationListResponse.parse((await call(service, ordersAt)).json()).items).toEqual([]);
	for (const request of [{}, {method: 'POST', cancel: '/cancel'}]) {
		const unknown = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';
		const address = `/v1/augmentation/${unknown}${'cancel' in request ? '/cancel' : ''}`;
		const answer = await call(service, address, request);
		expect([answer.status, answer.json()]).toEqual([
			404,
			{detail: `There is no augmentation ${unknown} in this lake.`},
		]);
	}
});

test('an augmentation that fails says why, gives its credits back, and leaves nothing', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const folder = path.join(home.root, 'unlike');
	await writeLerobotDataset(folder, {actionKey: 'unlike-any', episodes: [{}], names: ['a']});
	await ingested(service, folder);
	const {job_id} = await ordered(service, {dataset: 'unlike'});
	const failed = await ended(service, job_id);
	expect(failed).toMatchObject({
		status: 'failed',
		message: `${folder} has no action, by which pauses are found.`,
		augmented_dataset_id: null,
		credits: {reserved: 60, used: 0, returned: 60, finalized_at: expect.any(String)},
	});
	expect(failed.phases[0]).toMatchObject({status: 'failed', events: [{}, {note: failed.message}]});
	await expect.poll(() => readdir(path.join(lake, 'augmentations')).catch(() => [])).toEqual([]);
});

/** A dataset that takes a second or two to trim. */
async function longDataset(name: string): Promise<string> {
	const folder = path.join(home.root, name);
	if (existsSync(folder)) return folder;
	const {smallDataset} = await import('../support/small-dataset.ts');
	return smallDataset(folder, {episodes: 400, frames: 800});
}

async function moving(service: JoinedService, jobId: string): Promise<AugmentationRecord> {
	const frames = async () => (await record(service, jobId)).progress?.frames ?? 0;
	await expect.poll(frames, {timeout: 20_000, interval: 5}).toBeGreaterThan(0);
	return record(service, jobId);
}

test('4.17 POST /v1/augmentation/{job_id}/cancel stops a running job and returns what it did not use, once', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	await ingested(service, await longDataset('long'));
	const {job_id} = await ordered(service, {dataset: 'long'});
	await moving(service, job_id);
	const cancel = () => call(service, `/v1/augmentation/${job_id}/cancel`, {method: 'POST'});
	const answers = await Promise.all([cancel(), cancel(), cancel()]);
	const [first, ...others] = answers.map(answer => augmentationCancelled.parse(answer.json()));
	expect(first).toMatchObject({status: 'cancelled', cancelled: true});
	expect(others).toEqual([first, first]);
	const {reserved, used, returned} = first?.credits ?? {reserved: 0, used: 0, returned: 0};
	expect(reserved).toBe(400 * 800);
	expect(used).toBeGreaterThan(0);
	expect(used).toBeLessThan(reserved);
	expect(used + returned).toBe(reserved);
	expect(processesOver(lake).length).toBe(1);
	expect((await record(service, job_id)).message).toBe('It was cancelled.');
	expect((await cancel()).json()).toEqual(first);
	expect(await names(service)).toEqual(['local/long']);
	expect(await readdir(path.join(lake, 'augmentations'))).toEqual([]);

	// As a service leaves it that was killed before it could clean up.
	await mkdir(path.join(lake, 'augmentations', job_id, 'long-trimmed', 'meta'), {recursive: true});
	service.leave();
	endProcessesOver(lake);
	await home.join(lake);
	expect(await readdir(path.join(lake, 'augmentations'))).toEqual([]);
});

test('an augmentation outlives its service, and a frame is paid once', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	await ingested(first, await longDataset('long'));
	const {job_id} = await ordered(first, {dataset: 'long', name: 'short'});
	const before = await moving(first, job_id);
	first.leave();
	endProcessesOver(lake);
	const second = await home.join(lake);
	const done = await ended(second, job_id);
	expect(done).toMatchObject({
		status: 'completed',
		credits: {reserved: 320_000, used: 320_000, returned: 0},
		phases: [{events: [{}, {retry_attempt: 1}, {}]}, {status: 'completed'}],
	});
	expect(before.credits.finalized_at).toBeNull();
	expect((await names(second, 'sort=name')).sort()).toEqual(['local/long', 'local/short']);
});

test('rejected episodes are left out of a trimmed dataset unless they are asked for, and how many is said', async () => {
	const folder = path.join(home.root, 'judged', 'cubes');
	await mkdir(folder, {recursive: true});
	// Two of one content would be one recording, and have one mark.
	const faster = (frame: number, dim: number) => 2 * action(frame, dim);
	await writeLerobotDataset(folder, {
		episodes: [
			{frames: 100, action},
			{frames: 100, action: faster},
		],
	});
	const service = await home.join(home.lake());
	await ingested(service, folder);
	const [first, second] = (await explore(service, {})).episodes.map(({episode_id}) => episode_id);
	const reject = (ids: readonly (string | undefined)[]) =>
		call(service, '/local/v1/reviews', {body: {episode_ids: ids, review_state: 'rejected'}});
	await reject([first]);
	const order = await ordered(service, {dataset: 'cubes'});
	expect(order.rejected_left_out).toBe(1);
	const done = await ended(service, order.job_id);
	expect(done).toMatchObject({
		status: 'completed',
		rejected_left_out: 1,
		summary: {episodes: 1, frames_before: 100, frames_after: 51},
		credits: {reserved: 200, used: 100, returned: 100},
	});
	const children = await explore(service, {lineage: 'children'});
	expect(children.episodes.map(child => child.parent_episode_index)).toEqual([1]);

	const asked = await ordered(service, {dataset: 'cubes', include_rejected: true});
	expect((await ended(service, asked.job_id)).summary?.episodes).toBe(2);
	await reject([second]);
	const refused = await call(service, ordersAt, {body: {dataset: 'cubes'}});
	expect([refused.status, refused.text]).toEqual([
		422,
		expect.stringContaining('All episodes of cubes are rejected'),
	]);
});
