import {randomUUID} from 'node:crypto';
import type {Answer} from '../client/answer.ts';
import type {Client} from '../client/client.ts';
import {ContractError, NetworkError, RefusedError, RequestError, ServiceError} from '../client/errors.ts';
import {type Endpoint, type EndpointName, endpoints, isAboutOneThing} from '../contract/endpoints.ts';
import {localEndpoints} from '../contract/local-endpoints.ts';
import {ownShapes} from '../contract/own-shapes.ts';
import {readTolerantly} from '../contract/tolerance.ts';
import {exitCodes} from './print/failure.ts';

/** Ids from earlier answers that later calls need; a fresh uuid where there is none. */
type Known = {datasetId: string; datasetPath: string; jobId: string; operationId: string};

type Probe = (client: Client, known: Known) => Promise<Answer<unknown>>;

/** Every endpoint that can be called without changing anything, in the order in which they learn from each other. */
const interfaceProbes = {
	explore: async (client, known) => {
		const answer = await client.explore({limit: 1});
		known.datasetId = answer.data.episodes[0]?.dataset_id ?? known.datasetId;
		return answer;
	},
	listDatasets: async (client, known) => {
		const answer = await client.listDatasets({limit: 5});
		known.datasetPath = answer.data.items[0]?.path ?? known.datasetPath;
		return answer;
	},
	listModels: client => client.listModels({limit: 5}),
	listJobs: async (client, known) => {
		const answer = await client.listJobs({limit: 5});
		known.jobId = answer.data.items[0]?.job_id ?? known.jobId;
		return answer;
	},
	listProjects: client => client.listProjects({}),
	syncStatus: (client, {operationId}) => client.syncStatus(operationId),
	imageKeys: (client, {datasetId}) => client.imageKeys(datasetId),
	datasetFiles: (client, {datasetPath}) => client.datasetFiles({path: datasetPath}),
	definition: client => client.definition(randomUUID()),
	hyperparameterDefaults: client => client.hyperparameterDefaults({vla_type: 'act'}),
	validateHyperparameters: client => client.validateHyperparameters('act', {}),
	finetuneStatus: (client, {jobId}) => client.finetuneStatus(jobId),
	augmentationStatus: client => client.augmentationStatus(randomUUID()),
	events: async client => {
		const opened = new AbortController();
		try {
			for await (const event of client.events({signal: opened.signal, onOpen: () => opened.abort()}))
				void event;
		} catch (error) {
			if (!opened.signal.aborted) throw error;
		}
		return {data: undefined, setAside: []};
	},
} as const satisfies Partial<Record<EndpointName, Probe>>;

/** The same of the embedded service's own. */
const localProbes = {
	listIngests: async (client, known) => {
		const answer = await client.listIngests();
		known.operationId = answer.data.items[0]?.operation_id ?? known.operationId;
		return answer;
	},
	listUploads: client => client.listUploads({}),
	trainer: client => client.trainer(),
} as const satisfies Partial<Record<keyof typeof localEndpoints, Probe>>;

const nameOf = ({method, path}: Endpoint) => `${method} ${path}`;

/** The endpoints that are not called, because a call changes something. */
export const notCalled: readonly string[] = Object.entries(endpoints)
	.filter(([name]) => !Object.hasOwn(interfaceProbes, name))
	.map(([, endpoint]) => nameOf(endpoint));

function failed(endpoint: Endpoint, error: unknown, ms: number): Finding {
	const subject = nameOf(endpoint);
	if (error instanceof NetworkError) return {state: 'unreachable', subject, words: error.message, ms};
	if (error instanceof RequestError) return {state: 'refused', subject, words: error.message};
	if (error instanceof ContractError) {
		return {
			state: 'breach',
			subject,
			words: 'answers in breach of the interface',
			ms,
			breaches: error.breaches,
		};
	}
	if (!(error instanceof ServiceError)) throw error;
	const {status, detail, issues} = error;
	if (detail === undefined && issues === undefined) {
		const expected = 'an object with `detail`, as section 7 says';
		const breaches = [{path: `(the body of a ${status})`, expected, found: 'another body'}];
		return {state: 'breach', subject, words: `refuses in breach of the interface (${status})`, ms, breaches};
	}
	if (error instanceof RefusedError) return {state: 'refused', subject, words: error.message, ms};
	if (status === 404 && isAboutOneThing(endpoint))
		return {state: 'ok', subject, words: 'answers (404: no such id)', ms};
	if (status === 501) return {state: 'note', subject, words: `is not there (501): ${detail}`, ms};
	return {state: 'problem', subject, words: error.message, ms};
}

/** Where an answer breaks what the endpoint promises, or what the embedded service itself does. */
function breachesOf(name: string, {data, setAside}: Answer<unknown>, embedded: boolean) {
	const inItems = setAside.map(({path, message, value}) => ({
		path,
		expected: message,
		found: JSON.stringify(value)?.slice(0, 80) ?? 'nothing',
	}));
	const own = embedded ? ownShapes[name as EndpointName]?.response : undefined;
	if (!own || inItems.length > 0) return inItems;
	const read = readTolerantly(own, data);
	return read.ok ? [] : read.breaches;
}

async function finding(
	name: string,
	endpoint: Endpoint,
	probe: () => Promise<Answer<unknown>>,
	embedded: boolean,
): Promise<Finding> {
	const subject = nameOf(endpoint);
	const begun = performance.now();
	try {
		const answer = await probe();
		const ms = performance.now() - begun;
		const breaches = breachesOf(name, answer, embedded);
		return breaches.length > 0
			? {state: 'breach', subject, words: 'answers in breach of the interface', ms, breaches}
			: {state: 'ok', subject, words: 'answers', ms};
	} catch (error) {
		return failed(endpoint, error, performance.now() - begun);
	}
}

/** Calls what can be called without changing anything; where nothing answers, that is said once. */
export async function probeFindings(client: Client, embedded: boolean): Promise<Finding[]> {
	const known: Known = {
		datasetId: randomUUID(),
		datasetPath: 'local/none',
		jobId: randomUUID(),
		operationId: randomUUID(),
	};
	const probes: ReadonlyArray<readonly [string, Endpoint, Probe]> = [
		...(embedded ? Object.entries(localProbes) : []).map(
			([name, probe]) => [name, localEndpoints[name as keyof typeof localProbes], probe] as const,
		),
		...Object.entries(interfaceProbes).map(
			([name, probe]) => [name, endpoints[name as keyof typeof interfaceProbes], probe] as const,
		),
	];
	const found: Finding[] = [];
	for (const [name, endpoint, probe] of probes) {
		const call = () => probe(client, known);
		const one = await finding(name, endpoint, call, embedded);
		found.push(one);
		// A request that was not sent fails in the same way for every endpoint.
		if (one.state === 'unreachable' || (one.state === 'refused' && one.ms === undefined)) break;
	}
	return found;
}

/** The outcome of one check. */
export type State = 'ok' | 'note' | 'problem' | 'refused' | 'unreachable' | 'breach';

/** One check. */
export type Finding = {
	readonly state: State;
	/** The thing that was checked: `key`, `POST /v1/datasets/explore`. */
	readonly subject: string;
	/** The outcome in words. */
	readonly words: string;
	/** How long the answer took. */
	readonly ms?: number | undefined;
	/** Where the contract is broken: the path within the answer, what is expected there, what was found. */
	readonly breaches?: ReadonlyArray<{
		readonly path: string;
		readonly expected: string;
		readonly found: string;
	}>;
};

export type Section = {readonly title: string; readonly findings: readonly Finding[]};

/** The exit code of each state, the gravest first: without an answer nothing else can be judged. */
const weights: ReadonlyArray<readonly [State, number]> = [
	['unreachable', exitCodes.unreachable],
	['refused', exitCodes.refused],
	['breach', exitCodes.contract],
	['problem', exitCodes.failed],
];

/** The exit code that findings come to. */
export function exitCodeOf(sections: readonly Section[]): number {
	const states = new Set(sections.flatMap(({findings}) => findings.map(({state}) => state)));
	return weights.find(([state]) => states.has(state))?.[1] ?? exitCodes.fine;
}
