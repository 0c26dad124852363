import {createHash} from 'node:crypto';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {identity} from './identity.ts';
import {firstProject} from './jobs.ts';
import {type HostedService, startHostedService} from './server.ts';

let service: HostedService;

beforeEach(async () => {
	service = await startHostedService({episodes: 1000});
});

afterEach(() => service.close());

type Reply = {status: number; body: Record<string, unknown>};

async function call(
	method: string,
	path: string,
	body?: unknown,
	key: string | null = service.key,
): Promise<Reply> {
	const response = await fetch(service.url + path, {
		method,
		headers: key === null ? {} : {'x-api-key': key},
		...(body === undefined ? {} : {body: JSON.stringify(body)}),
	});
	return {status: response.status, body: (await response.json()) as Record<string, unknown>};
}

const id = '00000000-0000-4000-8000-000000000000';

const requiringKey = [
	'POST /v1/finetune',
	'GET /v1/datasets/list',
	'GET /v1/models/list',
	'GET /v1/jobs/list',
	'GET /v1/projects/list',
	'POST /v1/projects',
	'POST /v1/finetune/hyperparams/validate',
	'GET /v1/finetune/hyperparams/defaults',
	`GET /v1/finetune/${id}`,
	`GET /v1/augmentation/${id}`,
	`POST /v1/augmentation/${id}/cancel`,
];

const takingKey = [
	'POST /v1/datasets/explore',
	`GET /v1/datasets/sync-status/${id}`,
	'POST /v1/datasets/upload/prepare-batch',
	`GET /v1/datasets/defs/${id}`,
	`POST /v1/datasets/uploads/${id}/dismiss`,
	'GET /v1/datasets/files',
	'GET /v1/events',
];

describe('keys', () => {
	test.each([...requiringKey, ...takingKey])('%s refuses a missing and a wrong key', async endpoint => {
		const [method = '', path = ''] = endpoint.split(' ');
		expect(await call(method, path, undefined, null)).toEqual({
			status: 401,
			body: {detail: 'Missing API key'},
		});
		expect(await call(method, path, undefined, 'other')).toEqual({
			status: 401,
			body: {detail: 'Invalid API key'},
		});
	});

	test('a service open to anybody answers without a key only where the key is optional', async () => {
		const open = await startHostedService({episodes: 1, anonymous: true});
		const status = async (endpoint: string): Promise<number> => {
			const [method = '', path = ''] = endpoint.split(' ');
			const response = await fetch(open.url + path, {method});
			await response.body?.cancel();
			return response.status;
		};
		const required = await Promise.all(requiringKey.map(status));
		const optional = await Promise.all(takingKey.map(status));
		await open.close();
		expect(new Set(required)).toEqual(new Set([401]));
		expect(optional).not.toContain(401);
	});
});

test('it knows nothing of /local/v1, nor of other paths and methods', async () => {
	expect(await call('GET', '/local/v1')).toEqual({status: 404, body: {detail: 'Not Found'}});
	expect(await call('GET', '/v1/nothing')).toEqual({status: 404, body: {detail: 'Not Found'}});
	expect(await call('GET', '/v1/datasets/explore')).toEqual({
		status: 405,
		body: {detail: 'Method Not Allowed'},
	});
});

describe('validation errors', () => {
	test.each<[string, unknown, object]>([
		['limit', {limit: 201}, {loc: ['body', 'limit'], type: 'less_than_equal', input: 201, ctx: {le: 200}}],
		['offset', {offset: -1}, {loc: ['body', 'offset'], type: 'greater_than_equal', ctx: {ge: 0}}],
		['a list', {tasks: null}, {loc: ['body', 'tasks'], type: 'list_type'}],
		['an item', {tiers: ['', 'best']}, {loc: ['body', 'tiers', 1], type: 'literal_error', input: 'best'}],
		['a length', {tags: Array(513).fill('a')}, {loc: ['body', 'tags'], type: 'too_long'}],
		[
			'a missing field',
			{numeric_predicates: [{field: 'sparc', op: 'gt'}]},
			{loc: ['body', 'numeric_predicates', 0, 'value'], type: 'missing', msg: 'Field required'},
		],
		['a body that is none', [], {loc: ['body'], type: 'model_attributes_type'}],
	])('%s of an explore request', async (_name, request, issue) => {
		const {status, body} = await call('POST', '/v1/datasets/explore', request);
		expect(status).toBe(422);
		expect(body.detail).toEqual([expect.objectContaining(issue)]);
	});

	test('every broken field is named at once, and text that is not JSON as such', async () => {
		const {body} = await call('POST', '/v1/datasets/explore', {limit: 0, lineage: 'cousins', search: 3});
		expect(body.detail).toHaveLength(3);
		const response = await fetch(`${service.url}/v1/datasets/explore`, {
			method: 'POST',
			headers: {'x-api-key': service.key},
			body: '{"limit":',
		});
		expect(response.status).toBe(422);
		expect(await response.json()).toMatchObject({detail: [{type: 'json_invalid'}]});
	});

	test('a path parameter and the account must be uuids, the account one of ours', async () => {
		const path = await call('GET', '/v1/datasets/sync-status/7');
		expect(path.body.detail).toEqual([expect.objectContaining({loc: ['path', 'operation_id']})]);
		const query = await call('POST', '/v1/datasets/explore?account_id=me', {});
		expect(query.body.detail).toEqual([expect.objectContaining({loc: ['query', 'account_id']})]);
		expect((await call('POST', `/v1/datasets/explore?account_id=${id}`, {})).status).toBe(403);
		expect((await call('POST', `/v1/datasets/explore?account_id=${service.account}`, {})).status).toBe(200);
	});
});

describe('datasets', () => {
	test('following the cursor gives every dataset once, in the order asked for', async () => {
		const paths: string[] = [];
		let cursor: unknown = null;
		do {
			const {body} = await call(
				'GET',
				`/v1/datasets/list?limit=4&sort=name${cursor ? `&cursor=${cursor}` : ''}`,
			);
			const info = body.page_info as {has_next: boolean; end_cursor: string | null; total_count: number};
			paths.push(...(body.items as Array<{path: string}>).map(item => item.path));
			expect(info.total_count).toBe(11);
			expect(info.has_next).toBe(info.end_cursor !== null);
			cursor = info.end_cursor;
		} while (cursor);
		expect(paths).toHaveLength(11);
		expect(paths).toEqual([...new Set(paths)].sort());
	});

	test('they are filtered by type, link and search; a stray cursor is an error in words', async () => {
		const count = async (query: string) =>
			((await call('GET', `/v1/datasets/list?${query}`)).body.items as unknown[]).length;
		expect(await count('dataset_type=sarm_progress')).toBe(1);
		expect(await count('direction=output')).toBe(1);
		expect(await count(`job_id=${identity('job', 1, 0)}`)).toBe(1);
		expect(await count(`project_id=${firstProject}`)).toBe(4);
		expect(await count('search=FOLD')).toBe(3);
		expect(await call('GET', '/v1/datasets/list?cursor=zzz')).toEqual({
			status: 400,
			body: {detail: 'Invalid pagination cursor'},
		});
		expect((await call('GET', '/v1/datasets/list?limit=1001')).status).toBe(422);
	});

	test('files, image keys and definitions are found or 404', async () => {
		const path = (service.state.datasets[0]?.path ?? '').replace('/', '%2F');
		expect((await call('GET', `/v1/datasets/files?path=${path}`)).body).toMatchObject({ref: 'main'});
		expect((await call('GET', '/v1/datasets/files?path=acme/nothing')).status).toBe(404);
		expect((await call('GET', `/v1/datasets/${path}/image-keys`)).body.image_keys).toHaveLength(2);
		expect((await call('GET', `/v1/datasets/defs/${identity('definition', 0, 0)}`)).status).toBe(200);
		expect((await call('GET', `/v1/datasets/defs/${id}`)).status).toBe(404);
	});
});

describe('uploads', () => {
	test('a prepared target takes the announced blob and no other', async () => {
		const blob = Buffer.from('frames');
		const digest = createHash('sha256').update(blob).digest('hex');
		const announced = {blob_id: digest, envelope_sha256: digest, content_length: blob.length};
		const {body} = await call('POST', '/v1/datasets/upload/prepare-batch', {blobs: [announced]});
		const target = (body.targets as Array<{url: string}>)[0]?.url ?? '';
		expect((await fetch(target, {method: 'PUT', body: 'framez'})).status).toBe(400);
		expect((await fetch(target, {method: 'PUT', body: blob})).status).toBe(200);
		expect(Array.from(service.state.targets.values(), ({received}) => received)).toEqual([blob]);
		expect((await call('POST', '/v1/datasets/upload/prepare-batch', {blobs: []})).status).toBe(422);
	});

	test('a live upload is never dismissed, a failed one is', async () => {
		const dismiss = () => call('POST', `/v1/datasets/uploads/${id}/dismiss`, {dismissed_through_unix: 50});
		const upload = {phase: 'preparing', entry_unix: 40, dismissed_through_unix: 0};
		service.state.uploads.set(id, upload);
		expect((await dismiss()).body).toEqual({phase: 'preparing'});
		expect(upload.dismissed_through_unix).toBe(0);
		upload.phase = 'failed';
		expect((await dismiss()).body).toEqual({phase: 'failed'});
		expect(upload.dismissed_through_unix).toBe(50);
	});

	test('a re-ingest answers with the status it was given, whatever the phase', async () => {
		service.state.syncs.set(id, {phase: 'polishing', done: false});
		expect((await call('GET', `/v1/datasets/sync-status/${id}`)).body).toEqual({
			phase: 'polishing',
			done: false,
		});
	});
});

describe('training', () => {
	const request = {
		project_id: firstProject,
		vla_type: 'act',
		dataset_id: 'acme/fold-lab1.00',
		hours: 2,
		camera_mappings: {front: 'observation.images.front'},
	};

	test('a started job is queued and listed; a camera that is none is named', async () => {
		const {status, body} = await call('POST', '/v1/finetune', request);
		expect({status, body}).toMatchObject({status: 200, body: {status: 'queued'}});
		expect((await call('GET', `/v1/finetune/${body.job_id}`)).body).toMatchObject({status: 'queued'});
		const {items} = (await call('GET', '/v1/jobs/list')).body;
		expect((items as Array<{job_id: string}>)[0]?.job_id).toBe(body.job_id);
		const wrong = await call('POST', '/v1/finetune', {...request, camera_mappings: {front: 'top'}});
		expect(wrong).toEqual({
			status: 400,
			body: {detail: 'Camera slot front: the dataset has no image key top'},
		});
		expect((await call('POST', '/v1/finetune', {...request, hours: 0})).status).toBe(422);
		expect((await call('GET', `/v1/finetune/${id.replace('4', '5')}`)).status).toBe(404);
	});

	test('a running augmentation is cancelled, a completed one stays', async () => {
		const running = identity('job', 0, 1);
		expect((await call('POST', `/v1/augmentation/${running}/cancel`)).body.status).toBe('cancelled');
		expect((await call('GET', `/v1/augmentation/${running}`)).body.status).toBe('cancelled');
		expect((await call('POST', `/v1/augmentation/${identity('job', 1, 1)}/cancel`)).body.status).toBe(
			'completed',
		);
	});

	test('defaults need a model where the document says so; validation names fields', async () => {
		const defaults = (query: string) => call('GET', `/v1/finetune/hyperparams/defaults?${query}`);
		expect((await defaults('vla_type=act')).status).toBe(200);
		expect((await defaults('vla_type=pi0')).status).toBe(400);
		expect((await defaults('vla_type=pi0&model_id=acme/base')).status).toBe(200);
		const check = (body: unknown) => call('POST', '/v1/finetune/hyperparams/validate?vla_type=act', body);
		expect((await check({learning_rate: 0.1})).body).toEqual({valid: true, issues: null});
		expect((await check({learning_rate: 'fast'})).body).toEqual({
			valid: false,
			issues: [{field: 'learning_rate', message: 'should be a number'}],
		});
	});

	test('models and projects are listed, a project is made once', async () => {
		expect((await call('GET', '/v1/models/list?limit=2')).body.items).toHaveLength(2);
		expect((await call('POST', '/v1/projects', {name: 'pouring'})).body.created).toBe(true);
		expect((await call('POST', '/v1/projects', {name: 'pouring'})).body.created).toBe(false);
		expect((await call('GET', '/v1/projects/list')).body.items).toHaveLength(2);
	});
});

test('events reach a subscriber as they are published, and a drop ends its stream', async () => {
	const response = await fetch(`${service.url}/v1/events`, {headers: {'x-api-key': service.key}});
	expect(response.headers.get('content-type')).toBe('text/event-stream');
	expect(service.state.events.subscribers).toBe(1);
	service.state.events.publish({event: 'reingest', id: '7', data: {phase: 'queued'}});
	const reader = (response.body ?? new ReadableStream()).getReader();
	const {value} = await reader.read();
	expect(new TextDecoder().decode(value)).toBe('event: reingest\nid: 7\ndata: {"phase":"queued"}\n\n');
	service.state.events.drop();
	await expect(reader.read()).rejects.toThrow();
});

test('requests are recorded with method, path, query, headers and body', async () => {
	await call('POST', `/v1/datasets/explore?account_id=${service.account}`, {limit: 1});
	expect(service.requests).toEqual([
		expect.objectContaining({
			method: 'POST',
			path: '/v1/datasets/explore',
			query: {account_id: service.account},
			body: {limit: 1},
			headers: expect.objectContaining({'x-api-key': 'hosted-key'}),
		}),
	]);
});
