import {beforeAll, expect, test, vi} from 'vitest';
import type * as z from 'zod';
import {parseJson} from '../../source/client/json.ts';
import {type Endpoint, type EndpointName, endpoints} from '../../source/contract/endpoints.ts';
import {errorResponse, validationErrorResponse} from '../../source/contract/errors.ts';
import {localEndpoints} from '../../source/contract/local-endpoints.ts';
import {ownShapes} from '../../source/contract/own-shapes.ts';
import {type ServiceEventName, serviceEvents} from '../../source/contract/service-events.ts';
import type {JoinedService} from '../../source/service/front-door.ts';
import {readEvents} from '../service/events/reader.ts';
import {type Address, type Answer, type Call, call} from '../service/support/call.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {frontKey, started, trainingHome} from '../service/support/training-home.ts';
import {RequestMaker, type Schema} from './support/requests-of.ts';
import {patience, randomFrom, times} from './support/soak.ts';

type Media = Record<string, {schema: Schema}>;
type Operation = {
	operationId: string;
	parameters?: ReadonlyArray<{name: string; in: string; required: boolean; schema: Schema}>;
	requestBody?: {content: Media};
};

/** An endpoint as the service describes it, and as the contract has it. */
type Target = {method: string; path: string; operation: Operation; endpoint: Endpoint};
type Made = {
	target: Target;
	path: string;
	request: Call;
	parts: Record<'parameters' | 'query' | 'body', unknown>;
};

const home = trainingHome();
let service: JoinedService;
let targets: Target[];
let ids: string[];
/** Bodies whose fields must fit what is there, which chance hardly hits. */
const examples: Record<string, Record<string, unknown>> = {};

/** What ends or holds the service, or whose answer has no end, is not called here. */
const leftOut = new Set<string>([endpoints.events.path, '/local/v1/sample']);

function endpointOf(operationId: string): Endpoint {
	const own = ownShapes[operationId as EndpointName];
	const found = {...endpoints, ...localEndpoints}[operationId as EndpointName];
	if (!found) throw new Error(`${operationId} is no endpoint of the contract`);
	return {...(found as Endpoint), ...own};
}

beforeAll(async () => {
	service = await home.serve({trainer: undefined});
	const folder = await smallDataset(`${home.root}/fuzzed`);
	const ingest = (await call(service, '/local/v1/ingests', {body: {folder}})).json<{
		operation_id: string;
		repo_id: string;
	}>();
	const project = (await call(service, '/v1/projects', {body: {name: 'cups'}})).json<{project_id: string}>();
	const datasets = (await call(service, '/v1/datasets/list')).json<{items: Array<{artifact_id: string}>}>();
	examples.createFinetune = {
		project_id: project.project_id,
		vla_type: 'act',
		dataset_id: 'local/cups',
		hours: 1,
		camera_mappings: {front: frontKey},
	};
	ids = [
		await started(service),
		ingest.operation_id,
		ingest.repo_id,
		project.project_id,
		...datasets.items.map(({artifact_id}) => artifact_id),
	];
	const document = (await call(service, '/openapi.json')).json<{
		paths: Record<string, Record<string, Operation>>;
	}>();
	targets = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({
			method: method.toUpperCase(),
			path,
			operation,
			endpoint: endpointOf(operation.operationId),
		})),
	);
	targets = targets.filter(({path}) => !leftOut.has(path));
});

const printed = (value: unknown) =>
	(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).toWellFormed();

function make(maker: RequestMaker, target: Target): Made {
	const astray = maker.pick([0, 0, 0, 0.05, 0.2]);
	const parts: Made['parts'] = {parameters: {}, query: {}, body: undefined};
	let path = target.path;
	const query = new URLSearchParams();
	for (const {name, in: place, required, schema} of target.operation.parameters ?? []) {
		if (place === 'query' && !(required ? maker.chance() >= astray : maker.chance() < 0.4)) continue;
		const text = printed(maker.value(schema, astray));
		if (place === 'path') {
			path = path.replace(`{${name}}`, encodeURIComponent(text || 'x'));
			Object.assign(parts.parameters as object, {[name]: text || 'x'});
		} else {
			query.append(name, text);
			Object.assign(parts.query as object, {[name]: text});
		}
	}
	if (maker.chance() < astray) {
		query.append(maker.pick(['extra', 'account_id', 'limit', '__proto__']), printed(maker.value({}, 1)));
		Object.assign(parts.query as object, {extra: 1});
	}
	const body = target.operation.requestBody?.content['application/json']?.schema;
	const example = maker.chance() < 0.5 ? examples[target.operation.operationId] : undefined;
	parts.body = body && (example ? maker.changed(example, astray) : maker.value(body, astray));
	const text = query.toString();
	return {
		target,
		path: text === '' ? path : `${path}?${text}`,
		request: {method: target.method, ...(body && {body: JSON.stringify(parts.body) ?? ''})},
		parts,
	};
}

/** A query's numbers are text on the wire. */
const numbered = (query: object) =>
	Object.fromEntries(
		Object.entries(query).map(([name, text]) => [
			name,
			/^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text,
		]),
	);

function isWithinBounds({target: {endpoint}, parts}: Made): boolean {
	const accepts = (schema: z.ZodType | undefined, ...values: unknown[]) =>
		schema === undefined || values.some(value => schema.safeParse(value).success);
	return (
		accepts(endpoint.parameters, parts.parameters) &&
		accepts(endpoint.query, parts.query, numbered(parts.query as object)) &&
		accepts(endpoint.body, parts.body)
	);
}

/** What an answer does wrong, if anything. */
function complaint(made: Made, {status, text, headers}: Answer): string | undefined {
	if (status >= 500) return 'fails';
	if (headers['content-type'] !== 'application/json') return `is ${headers['content-type']}`;
	let body: unknown;
	try {
		body = parseJson(text);
	} catch {
		return 'is no JSON';
	}
	const {response} = made.target.endpoint;
	if (status >= 200 && status <= 299) {
		if (!isWithinBounds(made)) return 'accepts what is beyond bounds';
		if (response === 'eventStream') return 'is no stream';
		const read = response.safeParse(body);
		return read.success ? undefined : `breaks its shape at ${read.error.issues[0]?.path.join('.')}`;
	}
	const shapes = status === 422 ? [validationErrorResponse, errorResponse] : [errorResponse];
	return shapes.some(shape => shape.safeParse(body).success) ? undefined : 'is no error of section 7';
}

/** Later requests are about what earlier ones made, too. */
function learn({status, text}: Answer): void {
	if (status > 299 || ids.length > 100) return;
	for (const [, id] of text.slice(0, 1000).matchAll(/"(?:job|upload|operation)_id":"([^"]+)"/g)) {
		if (id !== undefined && !ids.includes(id)) ids.push(id);
	}
}

/** All that the service told of, up to now. */
async function eventsOf(address: Address) {
	const reader = await readEvents(address, '0');
	const newest = await readEvents(address);
	const last = await vi.waitUntil(() => newest.events[0]?.id, {timeout: 10_000});
	await vi.waitUntil(() => Number(reader.events.at(-1)?.id) >= Number(last), {timeout: 10_000});
	reader.close();
	newest.close();
	return reader.events;
}

const requests = times(1000, 10_000);

test(
	'no request made up from the contract fails the service, and every answer keeps its shape and bounds',
	async () => {
		const seed = Number(process.env.LAKESCOPE_FUZZ_SEED ?? 20_260_729);
		const maker = new RequestMaker(randomFrom(seed), ids);
		const complaints: string[] = [];
		const statuses = new Map<string, Set<number>>();
		let left = requests;
		const caller = async () => {
			while (left-- > 0) {
				const made = make(maker, maker.pick(targets));
				const answer = await call(service, made.path, made.request);
				const {operationId} = made.target.operation;
				statuses.set(operationId, (statuses.get(operationId) ?? new Set()).add(answer.status));
				learn(answer);
				const wrong = complaint(made, answer);
				if (wrong !== undefined) {
					complaints.push(
						`${made.target.method} ${made.path.slice(0, 300)} ${String(made.request.body).slice(0, 300)} → ${answer.status} ${wrong}: ${answer.text.slice(0, 300)}`,
					);
				}
			}
		};
		await Promise.all(Array.from({length: 4}, caller));
		expect(complaints.slice(0, 5), `seed ${seed}, ${complaints.length} complaints`).toEqual([]);
		// The requests are worth something: most endpoints were reached with what they accept, and with what they do not.
		const reached = [...statuses.values()].filter(found => [...found].some(status => status < 300));
		const refused = [...statuses.values()].filter(found => found.has(422));
		const events = await eventsOf(service);
		expect(new Set(events.map(({event}) => event))).toContain('job.phase');
		for (const {event, data} of events) serviceEvents[event as ServiceEventName].parse(JSON.parse(data));
		expect(statuses.size).toBe(targets.length);
		expect(reached.length).toBeGreaterThanOrEqual(targets.length / 2);
		expect(refused.length).toBeGreaterThan(targets.length / 2);
	},
	patience(requests, 60),
);
