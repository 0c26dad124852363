import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {connect} from 'node:net';
import path from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {validationErrorResponse} from '../../../source/contract/errors.ts';
import type {JoinedService} from '../../../source/service/front-door.ts';
import {maxBodyBytes} from '../../../source/service/http/request-input.ts';
import {type Call, call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';

const home = serviceHome();
const lake = home.lake();
let service: JoinedService;

beforeAll(async () => {
	service = await home.join(lake);
});

const explore = '/v1/datasets/explore';
const someId = '0b7d1c60-3a4e-4f6b-9c1d-2e8f5a7b9c0d';

async function issuesOf(path: string, request: Call) {
	const answer = await call(service, path, request);
	expect([answer.status, answer.headers['content-type']]).toEqual([422, 'application/json']);
	return validationErrorResponse.parse(answer.json()).detail;
}

describe('a malformed request is told what is wrong and where', () => {
	const cases: ReadonlyArray<[string, string, Call, object[]]> = [
		[
			'above a bound',
			explore,
			{body: {limit: 201}},
			[
				{
					loc: ['body', 'limit'],
					msg: 'Input should be less than or equal to 200',
					type: 'less_than_equal',
					input: 201,
					ctx: {le: 200},
				},
			],
		],
		[
			'below a bound',
			explore,
			{body: {offset: -1}},
			[
				{
					loc: ['body', 'offset'],
					msg: 'Input should be greater than or equal to 0',
					type: 'greater_than_equal',
					input: -1,
					ctx: {ge: 0},
				},
			],
		],
		[
			'a fraction for an integer',
			explore,
			{body: {limit: 1.5}},
			[{loc: ['body', 'limit'], msg: 'Input should be a valid integer', type: 'int_type', input: 1.5}],
		],
		[
			'text for a number',
			explore,
			{body: {limit: '5'}},
			[{loc: ['body', 'limit'], msg: 'Input should be a valid number', type: 'float_type', input: '5'}],
		],
		[
			'a word outside its list',
			explore,
			{body: {tiers: ['retrainable', 'bad']}},
			[{loc: ['body', 'tiers', 1], type: 'enum', input: 'bad'}],
		],
		[
			'too many items',
			explore,
			{body: {tasks: Array.from({length: 513}, () => 't')}},
			[
				{
					loc: ['body', 'tasks'],
					msg: 'List should have at most 512 items',
					type: 'too_long',
					ctx: {max_length: 512},
				},
			],
		],
		[
			'a field that nobody knows',
			explore,
			{body: {taks: ['x']}},
			[{loc: ['body', 'taks'], type: 'extra_forbidden'}],
		],
		[
			'a missing field, deep inside',
			explore,
			{body: {numeric_predicates: [{field: 'sparc', op: 'gt'}]}},
			[{loc: ['body', 'numeric_predicates', 0, 'value'], msg: 'Field required', type: 'missing'}],
		],
		[
			'two things at once',
			explore,
			{body: {limit: 0, search: 5}},
			[
				{loc: ['body', 'search'], type: 'string_type'},
				{loc: ['body', 'limit'], type: 'greater_than_equal'},
			].reverse(),
		],
		['a list for an object', explore, {body: []}, [{loc: ['body'], type: 'dict_type'}]],
		['no body', explore, {method: 'POST'}, [{loc: ['body'], msg: 'Field required', type: 'missing'}]],
		['no JSON', explore, {body: '{"limit": '}, [{loc: ['body'], type: 'json_invalid'}]],
		[
			'JSON of any depth',
			explore,
			{body: `{"search": ${'['.repeat(100_000)}`},
			[{loc: ['body'], type: 'json_invalid'}],
		],
		[
			'an account that is no uuid',
			`${explore}?account_id=me`,
			{body: {}},
			[
				{
					loc: ['query', 'account_id'],
					msg: 'Input should be a valid UUID',
					type: 'uuid_parsing',
					input: 'me',
				},
			],
		],
		[
			'an operation that is no uuid',
			'/v1/datasets/sync-status/7',
			{},
			[{loc: ['path', 'operation_id'], type: 'uuid_parsing', input: '7'}],
		],
		[
			'a query beyond its bound',
			'/v1/datasets/list?limit=1001',
			{},
			[{loc: ['query', 'limit'], type: 'less_than_equal', input: 1001}],
		],
		[
			'text in a query for a number',
			'/v1/datasets/list?limit=many',
			{},
			[{loc: ['query', 'limit'], type: 'float_type', input: 'many'}],
		],
		[
			'a long search',
			`/v1/datasets/list?search=${'x'.repeat(201)}`,
			{},
			[{loc: ['query', 'search'], msg: 'String should have at most 200 characters', type: 'string_too_long'}],
		],
		[
			'a parameter given twice',
			'/v1/datasets/list?limit=5&limit=6',
			{},
			[{loc: ['query', 'limit'], msg: 'Given more than once'}],
		],
		[
			'a cursor of its own making',
			'/v1/datasets/list?cursor=made-up',
			{},
			[{loc: ['query', 'cursor'], type: 'value_error'}],
		],
		[
			'too many blobs',
			'/v1/datasets/upload/prepare-batch',
			{body: {blobs: []}},
			[{loc: ['body', 'blobs'], type: 'too_short'}],
		],
		[
			'a blob id that is no hash',
			'/v1/datasets/upload/prepare-batch',
			{body: {blobs: [{blob_id: 'G'.repeat(64), envelope_sha256: 'a'.repeat(64), content_length: 1}]}},
			[{loc: ['body', 'blobs', 0, 'blob_id'], type: 'value_error'}],
		],
		[
			'hours that are not above zero',
			'/v1/finetune',
			{body: {project_id: someId, vla_type: 'act', dataset_id: 'local/x', hours: 0, camera_mappings: {}}},
			[{loc: ['body', 'hours'], msg: 'Input should be greater than 0', type: 'greater_than', ctx: {gt: 0}}],
		],
	];

	test.each(cases)('%s', async (_, path, request, expected) => {
		const issues = await issuesOf(path, request);
		expect(issues).toHaveLength(expected.length);
		for (const each of expected) expect(issues).toContainEqual(expect.objectContaining(each));
	});

	test.each([
		['explore', explore, {search: 1}],
		['the hyperparameters of a fine-tune', '/v1/finetune', {vla_hyper_spec: {steps: 1}}],
		['hyperparameters', '/v1/finetune/hyperparams/validate?vla_type=act', {steps: 1}],
	])('nested without end in %s', async (_, path, shape) => {
		const depth = 100_000;
		const nested = '['.repeat(depth) + ']'.repeat(depth);
		const issues = await issuesOf(path, {
			body: JSON.stringify(shape).replace('1', nested),
			headers: {'content-type': 'application/json'},
		});
		expect(issues).toEqual([
			{
				loc: ['body'],
				msg: 'JSON decode error: nested deeper than 256 levels',
				type: 'json_invalid',
			},
		]);
	});

	test('and is not sent back whole', async () => {
		const body = {search: {a: 'x'.repeat(100_000)}, review_state: 'y'.repeat(100_000)};
		const answer = await call(service, explore, {body});
		expect(answer.status).toBe(422);
		expect(answer.text.length).toBeLessThan(2000);
	});
});

describe('what cannot be answered', () => {
	test('an unknown path gives 404, and a wrong method 405 with the right ones', async () => {
		const nowhere = await call(service, '/v2/datasets');
		expect([nowhere.status, nowhere.json<{detail: string}>().detail]).toEqual([
			404,
			'There is nothing at /v2/datasets.',
		]);
		const wrong = await call(service, explore, {method: 'GET'});
		expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST']);
		const removed = await call(service, '/local/v1/ingests', {method: 'DELETE'});
		expect([removed.status, removed.headers.allow]).toEqual([405, 'POST, GET']);
	});

	test('a body that is not called JSON gives 415', async () => {
		for (const kind of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
			const answer = await call(service, explore, {body: '{}', headers: {'content-type': kind}});
			expect([kind, answer.status]).toEqual([kind, 415]);
		}
		const named = await call(service, explore, {
			body: '{}',
			headers: {'content-type': 'Application/JSON; charset=UTF-8'},
		});
		expect(named.status).toBe(200);
	});

	test('a body beyond its bound gives 413, whether its length is told or not', async () => {
		const body = JSON.stringify({search: 'x'.repeat(maxBodyBytes)});
		const told = await call(service, explore, {body});
		const untold = await call(service, explore, {
			body,
			headers: {'content-length': undefined, 'transfer-encoding': 'chunked'},
		});
		expect([told.status, untold.status]).toEqual([413, 413]);
		const within = await call(service, explore, {body: {search: 'x'.repeat(maxBodyBytes - 100)}});
		expect(within.status).toBe(200);
	});

	test('headers beyond their bound give 431', async () => {
		const answer = await call(service, '/local/v1', {headers: {'x-long': 'x'.repeat(20_000)}});
		expect([answer.status, typeof answer.json<{detail: unknown}>().detail]).toEqual([431, 'string']);
	});

	test('what is no HTTP is told so', async () => {
		const {port} = new URL(service.url);
		const received = await new Promise<string>((resolve, reject) => {
			let text = '';
			const socket = connect(Number(port), '127.0.0.1', () => socket.write('EHLO here\r\n\r\n'));
			socket.setEncoding('utf8').on('data', (chunk: string) => {
				text += chunk;
			});
			socket.on('end', () => resolve(text));
			socket.on('error', reject);
		});
		expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"detail":"/);
	});

	test('a target that names another host is refused, whatever the Host header says', async () => {
		const answer = await call(service, 'http://elsewhere.example/local/v1');
		expect([answer.status, answer.json<{detail: string}>().detail]).toEqual([
			400,
			expect.stringContaining('not a proxy'),
		]);
	});

	test('4.1 another account than its own gives 403, its own is answered', async () => {
		const other = await call(service, `${explore}?account_id=${someId}`, {body: {}});
		expect(other.status).toBe(403);
		const own = /[0-9a-f-]{36}\.$/.exec(other.json<{detail: string}>().detail)?.[0].slice(0, -1);
		const answered = await call(service, `${explore}?account_id=${own?.toUpperCase()}`, {body: {}});
		expect(answered.status).toBe(200);
	});

	test('4.2 an operation that never was gives 404', async () => {
		for (const path of [`/v1/datasets/sync-status/${someId}`, `/local/v1/ingests/${someId}`]) {
			const answer = await call(service, path);
			expect([answer.status, answer.json<{detail: string}>().detail]).toEqual([
				404,
				expect.stringContaining(someId),
			]);
		}
	});
});

test('a caller that goes in the middle of its body leaves no failure in the log, and the service answers on', async () => {
	const {hostname, port} = new URL(service.url);
	const socket = connect(Number(port), hostname);
	socket.write(
		`POST ${explore} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-api-key: ${service.key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"limit"`,
	);
	await once(socket, 'ready');
	// Answered behind what was written first: that request has been begun.
	expect((await call(service, '/local/v1')).status).toBe(200);
	socket.destroy();
	await once(socket, 'close');
	expect((await call(service, explore, {body: {limit: 1}})).status).toBe(200);
	expect(await readFile(path.join(lake, 'service.log'), 'utf8')).not.toContain(`POST ${explore}`);
});
