import {expect, test} from 'vitest';
import {createRouter} from '../../../source/service/http/app.ts';
import type {HttpProblem} from '../../../source/service/http/http-problem.ts';
import {Reply} from '../../../source/service/http/reply.ts';
import type {Route} from '../../../source/service/http/route.ts';

const route = (method: Route['method'], path: string): Route => ({
	method,
	path,
	answer: async () => Reply.json(200, {}),
});

const routes = [
	route('GET', '/v1/jobs'),
	route('POST', '/v1/jobs'),
	route('GET', '/v1/datasets/list'),
	route('GET', '/v1/datasets/{dataset_id}/image-keys'),
	route('PUT', '/local/v1/blobs/{blob_id}'),
];
const find = createRouter(routes);

function refusal(method: string, path: string): HttpProblem {
	try {
		find(method, path);
	} catch (error) {
		return error as HttpProblem;
	}
	throw new Error(`${method} ${path} is answered`);
}

test('a route is found by method and path, and HEAD where there is a GET', () => {
	expect(find('POST', '/v1/jobs').route).toBe(routes[1]);
	expect(find('HEAD', '/v1/jobs').route).toBe(routes[0]);
	expect(find('GET', '/v1/%64atasets/list').route).toBe(routes[2]);
});

test.each([
	['plain', 'plain'],
	['local%2Fcups', 'local/cups'],
	['50%25', '50%'],
	['%2541', '%41'],
	['%E3%83%AD', 'ロ'],
	['%zz', '%zz'],
	['a%25%zz', 'a%25%zz'],
	['__proto__', '__proto__'],
])('the part of a path %s means %s', (given, meant) => {
	const {route: found, parameters} = find('GET', `/v1/datasets/${given}/image-keys`);
	expect([found, parameters]).toEqual([routes[3], {dataset_id: meant}]);
});

test('what is nowhere is 404, what takes another method 405 with those that it takes', () => {
	for (const path of [
		'/',
		'/v1',
		'/v1/jobs/',
		'/v1/jobs/x',
		'/v1/datasets//image-keys',
		'/local/v1/blobs/a/b',
	]) {
		expect([path, refusal('GET', path).status]).toEqual([path, 404]);
	}
	const problem = refusal('DELETE', '/v1/jobs');
	expect([problem.status, problem.headers]).toEqual([405, {allow: 'GET, POST'}]);
	expect(problem.detail).toBe('/v1/jobs takes GET or POST, not DELETE.');
	expect(refusal('GET', '/local/v1/blobs/a').headers).toEqual({allow: 'PUT'});
});
