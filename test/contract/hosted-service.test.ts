import {afterAll, beforeAll, expect, test} from 'vitest';
import {type Endpoint, type EndpointName, endpoints} from '../../source/contract/endpoints.ts';
import {validationErrorResponse} from '../../source/contract/errors.ts';
import {readTolerantly} from '../../source/contract/tolerance.ts';
import {identity} from '../hosted-service/identity.ts';
import {firstProject} from '../hosted-service/jobs.ts';
import {type HostedService, startHostedService} from '../hosted-service/server.ts';

/** The contract and the second service are two readings of one document: they must agree. */
let service: HostedService;

const operation = '00000000-0000-4000-8000-00000000000a';

beforeAll(async () => {
	service = await startHostedService({episodes: {count: 400, hostile: true}});
	service.state.syncs.set(operation, {
		phase: 'finalized',
		done: true,
		generation: 2,
		total_frames: 9000,
	});
});

afterAll(() => service.close());

async function send(
	method: string,
	path: string,
	body?: unknown,
): Promise<{status: number; answer: unknown}> {
	const response = await fetch(service.url + path, {
		method,
		headers: {'x-api-key': service.key},
		...(body === undefined ? {} : {body: JSON.stringify(body)}),
	});
	return {status: response.status, answer: await response.json()};
}

const dataset = 'acme/fold-lab1.00';

const calls: Array<{name: EndpointName; path: string; body?: unknown}> = [
	{
		name: 'explore',
		path: '/v1/datasets/explore',
		body: {limit: 200, channel_predicates: [{channel: 'gripper.pos', agg: 'mean', op: 'gt', value: -60}]},
	},
	{name: 'syncStatus', path: `/v1/datasets/sync-status/${operation}`},
	{
		name: 'createFinetune',
		path: '/v1/finetune',
		body: {
			project_id: firstProject,
			vla_type: 'act',
			dataset_id: dataset,
			hours: 1,
			camera_mappings: {front: 'observation.images.front'},
		},
	},
	{name: 'listDatasets', path: '/v1/datasets/list?limit=1000'},
	{name: 'listModels', path: '/v1/models/list'},
	{name: 'listJobs', path: '/v1/jobs/list'},
	{name: 'listProjects', path: '/v1/projects/list'},
	{name: 'createProject', path: '/v1/projects', body: {name: 'pouring'}},
	{
		name: 'validateHyperparameters',
		path: '/v1/finetune/hyperparams/validate?vla_type=act',
		body: {learning_rate: 'fast'},
	},
	{name: 'hyperparameterDefaults', path: '/v1/finetune/hyperparams/defaults?vla_type=act'},
	{name: 'finetuneStatus', path: `/v1/finetune/${identity('job', 0, 0)}`},
	{name: 'augmentationStatus', path: `/v1/augmentation/${identity('job', 0, 1)}`},
];

test.each(calls)('$name: the second service answers as the contract reads', async ({name, path, body}) => {
	const {method, response}: Endpoint = endpoints[name];
	const {status, answer} = await send(method, path, body);
	expect({status, answer}).toMatchObject({status: 200});
	if (response === 'eventStream') throw new TypeError(`${name} answers a stream`);
	expect(readTolerantly(response, answer)).toMatchObject({ok: true, setAside: []});
});

test('every documented body is compared', () => {
	const documented = Object.entries<Endpoint>(endpoints)
		.filter(([, {response}]) => response !== 'eventStream' && response.def.type !== 'unknown')
		.map(([name]) => name);
	expect(calls.map(({name}) => name).sort()).toEqual(documented.sort());
});

test.each([
	{limit: 201},
	{offset: 4_294_967_296},
	{tasks: Array(513).fill('a')},
	{tiers: ['best']},
	{dataset_ids: Array(4097).fill('a')},
	{review_state: 'reviewed'},
	{episode_index: 2_147_483_648},
	{lineage: 'cousins'},
	{parent_episode_index: 2_147_483_648},
	{order_desc: 1},
	{search: null},
	{numeric_predicates: [{field: 'mood', op: 'gt', value: 1}]},
	{channel_predicates: [{channel: 'gripper.pos', agg: 'median', op: 'gt', value: 1}]},
])('what the contract refuses to send, the second service refuses to take: %j', async request => {
	const sent = endpoints.explore.body.safeParse(request);
	const {status, answer} = await send('POST', '/v1/datasets/explore', request);
	expect(status).toBe(422);
	const {detail} = validationErrorResponse.parse(answer);
	expect(detail.map(({loc}) => loc.slice(1).join('.'))).toEqual(
		sent.error?.issues.map(({path}) => path.join('.')),
	);
});
