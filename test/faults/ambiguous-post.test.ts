import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {OutcomeUnknownError} from '../../source/client/errors.ts';
import type {Explorer} from '../../source/store/explorer.ts';
import {composeSelection} from '../../source/store/export/compose-selection.ts';
import {viewed} from '../../source/store/state/view-transitions.ts';
import {programHome} from '../commands/support/program.ts';
import {type Fault, reset, truncated} from '../hosted-service/faults.ts';
import {someAugmentations} from '../hosted-service/jobs.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {ingestFolder} from '../service/support/ingesting.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {commit, ended, startUpload} from '../service/support/uploading.ts';
import {explorerOf, until} from '../store/support.ts';
import {startFaultProxy} from '../support/fault-proxy.ts';
import {hosted} from '../support/hosted.ts';
import {patience, randomFrom, times} from './support/soak.ts';

const home = programHome();
const lakes = serviceHome();
const operation = '00000000-0000-4000-8000-000000000001';
const repo = '00000000-0000-4000-8000-000000000008';

const create = 'POST /v1/finetune';
const cancel = 'POST /v1/augmentation/{job_id}/cancel';
const dismiss = 'POST /v1/datasets/uploads/{repo_id}/dismiss';

/** Carries the call out, and breaks the connection off in the place of an answer. */
const doneUnsaid: Fault = async ({settle, response}) => {
	await settle();
	response.socket?.destroy();
};

/** A gateway's page in the place of the answer. */
const gateway: Fault = async ({settle, response}) => {
	await settle();
	response.writeHead(502, {'content-type': 'text/html'}).end('<h1>Bad gateway</h1>');
};

/** The connection breaks after sending, whether the call was carried out or not. */
const breaks: readonly (readonly [string, Fault, boolean, RegExp])[] = [
	['carried out, the answer lost', doneUnsaid, true, /unknown whether POST \/v1\/finetune was carried out/],
	['carried out, half an answer', truncated(), true, /closed the connection before its answer was complete/],
	['carried out, a gateway in between', gateway, true, /POST \/v1\/finetune: 502/],
	['not carried out', reset, false, /unknown whether POST \/v1\/finetune was carried out/],
];

const posts = ({requests}: HostedService, end: string) =>
	requests.filter(({method, path}) => method === 'POST' && path.endsWith(end)).length;

const said = (explorer: Explorer) => explorer.state.getState().notices.map(({text}) => text);

function orderOf(service: HostedService) {
	const [dataset] = service.state.datasets;
	return {
		project_id: [...service.state.projects.keys()][0] ?? '',
		vla_type: 'act',
		dataset_id: dataset?.path ?? '',
		hours: 2,
		camera_mappings: {},
	} as const;
}

describe.each(breaks)('cut after sending, %s', (_, fault, isDone, words) => {
	test('a fine-tune is requested once, its outcome is unknown, and the list of jobs shows it', async () => {
		const service = await hosted({episodes: 20});
		const before = service.state.jobs.size;
		const client = createClient({baseUrl: service.url, key: service.key});
		onTestFinished(() => client.close());
		service.setFault(create, fault);
		const error = await client.createFinetune(orderOf(service)).catch((each: unknown) => each);
		expect(error).toBeInstanceOf(OutcomeUnknownError);
		expect(posts(service, '/v1/finetune')).toBe(1);
		service.setFault(create);
		const explorer = explorerOf(service);
		explorer.update(viewed('jobs'));
		const {jobs} = await until(explorer.jobs.known, known => known.jobs.length >= before);
		expect(jobs.length).toBe(before + (isDone ? 1 : 0));
		expect(posts(service, '/v1/finetune')).toBe(1);
	});

	test('an augmentation is cancelled once, its outcome is reported as unknown, and its status then shows', async () => {
		const service = await hosted({episodes: 20});
		const explorer = explorerOf(service);
		explorer.update(viewed('jobs'));
		const id = someAugmentations()[0]?.job_id ?? '';
		explorer.follow('jobs', id);
		const {jobs} = await until(explorer.jobs.known, known =>
			known.jobs.some(job => job.id === id && job.status === 'running'),
		);
		const job = jobs.find(each => each.id === id);
		if (job === undefined) throw new Error('not followed');
		const looks = () => service.requests.filter(({path}) => path === `/v1/augmentation/${id}`).length;
		const before = looks();
		service.setFault(cancel, fault);
		await explorer.jobs.actions.stop(job);
		expect(said(explorer)).toContainEqual(expect.stringMatching(/^Outcome unknown: .*\/cancel/));
		await until(explorer.jobs.known, known =>
			known.jobs.some(each => each.id === id && each.status === (isDone ? 'cancelled' : 'running')),
		);
		await expect.poll(looks).toBeGreaterThan(before);
		expect(posts(service, '/cancel')).toBe(1);
	});

	test('a dismissal is sent once, its outcome reported as unknown, and can be sent again by key', async () => {
		const service = await hosted({episodes: 20});
		const explorer = explorerOf(service);
		const failed = {phase: 'failed', done: true, message: 'three videos are missing'};
		service.state.syncs.set(operation, failed);
		service.state.uploads.set(repo, {phase: 'failed', entry_unix: 5, dismissed_through_unix: 0});
		explorer.listen();
		await until(explorer.live.state, ({phase}) => phase === 'live');
		explorer.update(viewed('uploads'));
		service.state.events.publish({data: {operation_id: operation, repo_id: repo, dataset_name: 'cups'}});
		const {entries} = await until(explorer.uploads.known, known => known.entries.length === 1);
		const [entry] = entries;
		if (entry === undefined) throw new Error('no entry');
		service.setFault(dismiss, fault);
		await explorer.uploads.dismiss(entry, entries);
		expect(said(explorer)).toContainEqual(expect.stringMatching(/^Outcome unknown: .*\/dismiss/));
		expect(posts(service, '/dismiss')).toBe(1);
		const marked = service.state.uploads.get(repo)?.dismissed_through_unix ?? 0;
		expect(marked > 0).toBe(isDone);
		// This service lists no uploads: what it holds of the dismissal can't be read, so the entry stays.
		expect(explorer.uploads.known.getState().entries).toHaveLength(1);
		service.setFault(dismiss);
		await explorer.uploads.dismiss(entry, entries);
		await until(explorer.uploads.known, known => known.entries.length === 0);
		expect(posts(service, '/dismiss')).toBe(2);
	});

	test('lakescope api sends a fine-tune once, and reports the outcome as unknown', async () => {
		const service = await hosted({episodes: 20});
		const input = home.at('order.json');
		await writeFile(input, JSON.stringify(orderOf(service)));
		service.setFault(create, fault);
		const before = service.state.jobs.size;
		const run = await home.run(['api', 'POST', '/v1/finetune', '--input', input], {
			LAKESCOPE_URL: service.url,
			LAKESCOPE_API_KEY: service.key,
		});
		expect(posts(service, '/v1/finetune')).toBe(1);
		expect(service.state.jobs.size).toBe(before + (isDone ? 1 : 0));
		expect(run.code).not.toBe(0);
		expect(run.stderr).toMatch(words);
	});
});

test('an embedded service whose answer to a dismissal was lost: reading its feed settles it', async () => {
	const service = await lakes.join(lakes.lake());
	const {upload_id} = await startUpload(service, 'cups');
	const manifest = [{path: 'meta/info.json', size: 0, blobs: []}];
	const {operation_id} = (await commit(service, upload_id, manifest)).json<{operation_id: string}>();
	expect((await ended(service, operation_id)).phase).toBe('failed');
	const proxy = await startFaultProxy(service.url);
	onTestFinished(() => proxy.close());
	const explorer = explorerOf({url: proxy.url, key: service.key});
	explorer.update(viewed('uploads'));
	const {entries} = await until(explorer.uploads.known, known => known.entries.length === 1);
	const [entry] = entries;
	if (entry === undefined) throw new Error('no entry');
	// What is read goes over connections that are open already; the dismissal has one of its own.
	proxy.setFault({cutAfter: 0});
	const dismissing = explorer.uploads.dismiss(entry, entries);
	await until(explorer.state, ({notices}) => notices.some(({text}) => text.startsWith('Outcome unknown: ')));
	proxy.setFault({});
	await dismissing;
	await until(explorer.uploads.known, known => known.entries.length === 0);
});

test('a composition whose answer was lost is found by its id, and there is only one', async () => {
	const folder = await armDataset(path.join(lakes.root, 'ordered'), siblings(3));
	const service = await lakes.join(lakes.lake());
	await ingestFolder(service, folder);
	const proxy = await startFaultProxy(service.url);
	onTestFinished(() => proxy.close());
	const explorer = explorerOf({url: proxy.url, key: service.key});
	await until(explorer.window.result, ({rowCount}) => rowCount === 3);
	const picked = new Map(
		explorer.window.result
			.getState()
			.held()
			.map(each => [each.episode_id, each]),
	);
	const compose = vi.fn((...order: Parameters<typeof explorer.client.compose>) => {
		proxy.setFault({cutAfter: 0});
		return explorer.client.compose(...order).finally(() => proxy.setFault({}));
	});
	const parts = {client: {...explorer.client, compose}, outbox: explorer.outbox};
	const selection = {by: 'hand', picked} as const;
	const outcome = await composeSelection(parts, {name: 'chosen', selection}, explorer.signal);
	await expect(compose.mock.results[0]?.value).rejects.toBeInstanceOf(OutcomeUnknownError);
	expect(compose).toHaveBeenCalledOnce();
	expect(outcome).toMatchObject({kind: 'ordered', record: {dataset_name: 'chosen', episode_count: 3}});
	expect(explorer.outbox.underWay).toEqual([]);
	const {data} = await explorer.client.listIngests();
	expect(data.items.filter(({dataset_name}) => dataset_name === 'chosen')).toHaveLength(1);
});

const cuts = times(20, 1000);

test(
	`${cuts} fine-tunes cut at random bytes of the answer: each is ordered exactly once`,
	async () => {
		const random = randomFrom(7);
		const service = await hosted({episodes: 20});
		const proxy = await startFaultProxy(service.url, () => ({
			cutAfter: Math.floor(random() * 400),
			reset: random() < 0.5,
		}));
		onTestFinished(() => proxy.close());
		const client = createClient({baseUrl: proxy.url, key: service.key});
		onTestFinished(() => client.close());
		const before = service.state.jobs.size;
		let unknown = 0;
		for (let nth = 1; nth <= cuts; nth++) {
			await client.createFinetune(orderOf(service)).catch((error: unknown) => {
				expect(error).toBeInstanceOf(OutcomeUnknownError);
				unknown++;
			});
			await expect.poll(() => service.state.jobs.size).toBe(before + nth);
			expect(posts(service, '/v1/finetune')).toBe(nth);
		}
		expect(unknown).toBeGreaterThan(cuts / 2);
	},
	patience(cuts, 100),
);
