import {beforeAll, describe, expect, test} from 'vitest';
import {type Endpoint, endpoints} from '../../../source/contract/endpoints.ts';
import {localEndpoints} from '../../../source/contract/local-endpoints.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';

type Schema = Record<string, unknown> & {properties?: Record<string, Schema>};
type Media = Record<string, {schema: Schema}>;
type Operation = {
	operationId: string;
	parameters?: ReadonlyArray<{name: string; in: string; required: boolean; schema: Schema}>;
	requestBody?: {content: Media; required: boolean};
	responses: Record<string, {description: string; content: Media}>;
};
type Document = {
	openapi: string;
	info: {title: string; version: string};
	security: unknown;
	paths: Record<string, Record<string, Operation>>;
	components: {securitySchemes: unknown; schemas: Record<string, Schema>};
};

const home = serviceHome();
let document: Document;
let contentType: unknown;

beforeAll(async () => {
	const service = await home.join(home.lake());
	const answer = await call(service, '/openapi.json');
	document = answer.json<Document>();
	contentType = answer.headers['content-type'];
	const without = await call(service, '/openapi.json', {headers: {'x-api-key': undefined}});
	expect(without.status).toBe(401);
});

const all: ReadonlyArray<readonly [string, Endpoint]> = [
	...Object.entries(endpoints),
	...Object.entries(localEndpoints),
];

function operationOf({method, path}: Endpoint): Operation {
	const found = document.paths[path]?.[method.toLowerCase()];
	if (!found) throw new Error(`${method} ${path} is not described`);
	return found;
}

/** Every schema in a value, whole or part. */
function schemasIn(value: unknown, at = '#'): Array<readonly [string, Record<string, unknown>]> {
	if (Array.isArray(value)) return value.flatMap((item, i) => schemasIn(item, `${at}/${i}`));
	if (typeof value !== 'object' || value === null) return [];
	const here = value as Record<string, unknown>;
	return [[at, here], ...Object.entries(here).flatMap(([name, item]) => schemasIn(item, `${at}/${name}`))];
}

test('it is an OpenAPI 3.1 document that asks for the key', () => {
	expect(contentType).toBe('application/json');
	expect(document).toMatchObject({
		openapi: '3.1.0',
		info: {title: expect.any(String), version: expect.stringMatching(/^\d+\.\d+\.\d+/)},
		security: [{key: []}],
		components: {securitySchemes: {key: {type: 'apiKey', in: 'header', name: 'x-api-key'}}},
	});
});

describe.each(all)('%s', (_, endpoint) => {
	test('is described, with all its path parameters, a success and the refusals', () => {
		const {parameters = [], requestBody, responses} = operationOf(endpoint);
		const inPath = parameters.filter(each => each.in === 'path');
		expect(inPath.map(each => `{${each.name}}`)).toEqual(endpoint.path.match(/\{\w+\}/g) ?? []);
		for (const each of parameters) expect([each.name, Object.keys(each.schema)]).not.toEqual([each.name, []]);
		expect(requestBody !== undefined).toBe(endpoint.body !== undefined);
		const statuses = Object.keys(responses);
		expect(statuses.filter(status => status.startsWith('2'))).toHaveLength(1);
		expect(statuses).toEqual(expect.arrayContaining(['401', '403']));
		for (const {description, content} of Object.values(responses)) {
			expect(description).toMatch(/\.$/);
			expect(Object.keys(content)).toHaveLength(1);
		}
	});
});

test('operation ids are there once, and references lead somewhere', () => {
	const ids = Object.values(document.paths).flatMap(methods =>
		Object.values(methods).map(({operationId}) => operationId),
	);
	expect(new Set(ids).size).toBe(ids.length);
	const references = schemasIn(document).flatMap(([, {$ref}]) => ($ref === undefined ? [] : [String($ref)]));
	expect(references.length).toBeGreaterThan(0);
	for (const reference of references) {
		const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1] ?? '';
		expect(Object.keys(document.components.schemas)).toContain(name);
	}
});

test('the bounds of the interface document are in it', () => {
	const explore = operationOf(endpoints.explore);
	const body = explore.requestBody?.content['application/json']?.schema;
	expect(explore.requestBody?.required).toBe(true);
	expect(body).toMatchObject({
		type: 'object',
		additionalProperties: false,
		properties: {
			tasks: {type: 'array', maxItems: 512, items: {type: 'string'}},
			dataset_ids: {maxItems: 4096},
			limit: {type: 'integer', minimum: 1, maximum: 200, default: 50},
			offset: {type: 'integer', minimum: 0, maximum: 4_294_967_295},
			review_state: {enum: ['', 'unreviewed', 'auto_accepted', 'human_audited', 'rejected']},
		},
	});
	const response = explore.responses['200']?.content['application/json']?.schema;
	expect(response?.properties).toMatchObject({
		total: {type: 'integer', maximum: 18_446_744_073_709_552_000},
		total_duration_seconds: {type: 'number'},
		episodes: {maxItems: 200, items: {properties: {episode_id: {type: 'string', format: 'uuid'}}}},
	});
	const limit = operationOf(endpoints.listDatasets).parameters?.find(({name}) => name === 'limit');
	expect(limit).toMatchObject({
		in: 'query',
		required: false,
		schema: {minimum: 1, maximum: 1000, default: 20},
	});
	const finetune = operationOf(endpoints.createFinetune).requestBody?.content['application/json']?.schema;
	expect(finetune).toMatchObject({properties: {hours: {exclusiveMinimum: 0, maximum: 168}}});
});

test('nothing of it is left to guess but what may be anything', () => {
	const untyped = schemasIn(document.paths)
		.filter(([at]) => /\/properties\/[^/]+$/.test(at))
		.filter(([, schema]) => !['type', '$ref', 'anyOf', 'enum', 'const'].some(word => word in schema))
		.map(([at]) => at.split('/').at(-1));
	expect(new Set(untyped)).toEqual(new Set());
});
