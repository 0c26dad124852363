import {expect, test} from 'vitest';
import {createClient} from '../../source/client/client.ts';
import {fieldProblems, RefusedError, ServiceError} from '../../source/client/errors.ts';
import type {ClientOptions} from '../../source/client/options.ts';
import {someId} from './answers.ts';
import {failure, served} from './served.ts';
import {type Behaviour, json} from './wire-server.ts';

const key = 'key-0123456789';

const serve = (behaviour: Behaviour, options: Partial<ClientOptions> = {}) =>
	served(behaviour, {key, retry: {tries: 1}, ...options});

test('an error answer keeps its status and detail', async () => {
	const {client} = await serve(json({detail: 'no such operation'}, {status: 404}));
	const error = await failure(client.syncStatus(someId));
	expect(error).toBeInstanceOf(ServiceError);
	expect(error).toMatchObject({
		name: 'ServiceError',
		status: 404,
		detail: 'no such operation',
		issues: undefined,
	});
	expect(error.message).toContain('with 404: no such operation.');
});

test('a validation error keeps its issues', async () => {
	const issue = {loc: ['body', 'limit'], msg: 'too many', type: 'too_big', input: 900};
	const {client} = await serve(json({detail: [issue]}, {status: 422}));
	const error = await failure(client.explore({}));
	expect(error).toMatchObject({name: 'ServiceError', status: 422, detail: undefined, issues: [issue]});
	expect(error.message).toContain('body.limit: too many');
});

test('a field is named alike, whoever refused it', async () => {
	const predicate = {field: 'quality_score', op: 'gte', value: Number.NaN} as const;
	const issue = {loc: ['body', 'numeric_predicates', 0, 'value'], msg: 'must be finite', type: 'x'};
	const {client} = await serve(json({detail: [issue]}, {status: 422}));
	const fieldOf = (error: unknown) => fieldProblems(error).map(({field}) => field);
	expect(fieldOf(await failure(client.explore({})))).toEqual(['numeric_predicates.0.value']);
	expect(fieldOf(await failure(client.explore({numeric_predicates: [predicate]})))).toEqual([
		'numeric_predicates.0.value',
	]);
	expect(fieldOf(new Error('no answer'))).toEqual([]);
});

test('an error page for people is told by its status', async () => {
	const {client} = await serve(response => {
		response.writeHead(500, {'content-type': 'text/html'});
		response.end('<html>oops</html>');
	});
	expect((await failure(client.explore({}))).message).toContain(
		'with 500: Internal Server Error, with HTML as its body.',
	);
});

test('a page that knows nothing of the path makes the address doubtful', async () => {
	const {client} = await serve(response => {
		response.writeHead(404, {'content-type': 'text/html'});
		response.end('<html>no such page</html>');
	});
	expect((await failure(client.explore({}))).message).toMatch(
		/with 404: Not Found, with HTML as its body\. Is this the service's address\?$/,
	);
});

test('a service that knows no such path makes the address doubtful, one that has no such job does not', async () => {
	const {client} = await serve(json({detail: 'Not Found'}, {status: 404}));
	expect((await failure(client.explore({}))).message).toMatch(
		/with 404: Not Found\. Is this the service's address\?$/,
	);
	expect((await failure(client.finetuneStatus(someId))).message).toMatch(/with 404: Not Found\.$/);
});

test('a detail that is a sentence of its own is not given a second full stop', async () => {
	const {client} = await serve(json({detail: 'There is no such lake.'}, {status: 404}));
	expect((await failure(client.explore({}))).message).toMatch(/with 404: There is no such lake\.$/);
});

test.each([401, 403])('%i is a refusal of the key, and says what to do', async status => {
	const {client} = await serve(json({detail: `the key ${key} is not known`}, {status}));
	const error = await failure(client.explore({}));
	expect(error).toBeInstanceOf(RefusedError);
	expect(error.message).toContain('Set another one as LAKESCOPE_API_KEY.');
	expect(JSON.stringify([error.message, (error as RefusedError).detail])).not.toContain(key);
});

test('a missing key is told as such, also where the service calls it a validation error', async () => {
	const issue = {loc: ['header', 'x-api-key'], msg: 'Field required', type: 'missing'};
	const {client} = await serve(json({detail: [issue]}, {status: 422}), {key: undefined});
	const error = await failure(client.listDatasets());
	expect(error).toBeInstanceOf(RefusedError);
	expect(error.message).toContain(
		'asks for a key (422: header.x-api-key: Field required). Set it as LAKESCOPE_API_KEY.',
	);
});

test('the key is never sent over plain http to another machine, unless that is allowed', async () => {
	const error = await failure(createClient({baseUrl: 'http://lake.test', key}).explore({}));
	expect(error).toMatchObject({name: 'RequestError', field: 'x-api-key'});
	expect(error.message).toContain('LAKESCOPE_ALLOW_HTTP=1');
	expect(error.message).not.toContain(key);
});

test('a key that no header can hold is refused without being shown', () => {
	expect(() => createClient({baseUrl: 'https://lake.test', key: 'sécret key'})).toThrow(
		/^The key must be printable ASCII/,
	);
});
