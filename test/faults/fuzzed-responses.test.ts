import {existsSync, readFileSync} from 'node:fs';
import {expect, onTestFinished, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {type Filter, noFilter} from '../../source/query/filter.ts';
import {Explorer} from '../../source/store/explorer.ts';
import {initialState} from '../../source/store/explorer-state.ts';
import {createQueryClient} from '../../source/store/queries/query-client.ts';
import {viewed} from '../../source/store/state/view-transitions.ts';
import {programHome} from '../commands/support/program.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from '../pty/support.ts';
import {started, trainingHome} from '../service/support/training-home.ts';
import {clientOf, until} from '../store/support.ts';
import {hosted} from '../support/hosted.ts';
import type {Screen} from '../support/pty.ts';
import {type GarblingProxy, startGarblingProxy} from './support/garbling-proxy.ts';
import {requestsUnderWay} from './support/requests-under-way.ts';
import {patience, randomFrom, times} from './support/soak.ts';

const home = programHome();
const lakes = trainingHome();
const operation = '00000000-0000-4000-8000-000000000001';

/** A service of the document, and the embedded one, which has endpoints of its own besides. */
const ofDocument = times(800, 8000);
const ofEmbedded = times(200, 2000);

/** Rounds at most: what is garbled is drawn by lot, and how often it is asked for is the explorer's own affair. */
const mostRounds = times(200, 2000);

const count = ({garbled}: GarblingProxy) => [...garbled.values()].reduce((sum, each) => sum + each, 0);

/** A client that tells which of its functions have been answered with something that could be read. */
function listened(client: Client): {client: Client; read: Set<string>} {
	const read = new Set<string>();
	const members = Object.entries(client).map(([name, member]) => [
		name,
		typeof member !== 'function'
			? member
			: (...given: unknown[]) => {
					const answer: unknown = (member as (...given: unknown[]) => unknown)(...given);
					if (answer instanceof Promise)
						answer.then(
							() => read.add(name),
							() => undefined,
						);
					return answer;
				},
	]);
	return {client: Object.fromEntries(members) as Client, read};
}

/** What is known, and the answers that alone may change it. */
const facts: ReadonlyArray<readonly [string, readonly string[], (explorer: Explorer) => unknown]> = [
	[
		'episodes',
		['explore', 'localExplore'],
		({window}) => {
			const {rowCount, totals, facets, row} = window.result.getState();
			return {rowCount, totals, facets, rows: [row(0), row(1), row(19)]};
		},
	],
	[
		'jobs',
		['listJobs', 'listAugmentations', 'finetuneStatus', 'augmentationStatus'],
		({jobs}) =>
			jobs.known
				.getState()
				.jobs.filter(({status}) => status !== undefined)
				.map(({id, status}) => [id, status]),
	],
	[
		'uploads',
		['listUploads', 'syncStatus', 'localDocument', 'listIngests', 'ingestRecord'],
		({uploads}) => {
			const {entries} = uploads.known.getState();
			return entries
				.filter(({phase}) => phase !== undefined)
				.map(({operationId, phase}) => [operationId, phase]);
		},
	],
	['the service', ['localDocument', 'listIngests', 'sampleStatus'], ({local}) => local.known.getState()],
];

const filters: readonly Filter[] = [
	{...noFilter, channels: [{stream: 'action', channel: 'gripper.pos', agg: 'max', op: 'gt', value: 1}]},
	{...noFilter, search: 'cups'},
	noFilter,
];

/**
 * Has everything read again and again while answers are garbled, and looks at what becomes of what was known: until so
 * many were garbled, of each of these paths at least one, and until there was enough to judge by.
 */
async function endure(
	service: Pick<HostedService, 'url' | 'key'>,
	{responses, paths, seed}: {responses: number; paths: readonly string[]; seed: number},
): Promise<void> {
	const proxy = await startGarblingProxy(service.url, randomFrom(seed));
	const {client, read} = listened(clientOf({url: proxy.url, key: service.key}));
	const explorer = new Explorer({
		client,
		queries: createQueryClient(),
		state: initialState(noFilter, undefined),
	});
	const requests = requestsUnderWay();
	onTestFinished(() => {
		explorer.stop();
		requests.stop();
	});
	explorer.listen();
	await until(explorer.live.state, ({phase}) => phase === 'live');
	explorer.update(viewed('uploads'));
	explorer.follow('uploads', operation);
	explorer.update(viewed('jobs'));
	await until(explorer.jobs.known, ({jobs}) => jobs.length > 0);
	await requests.settled();
	proxy.garble(90);
	let kept = 0;
	let told = 0;
	let longestMs = 0;
	const garbledPaths = () => [...proxy.garbled.keys()].map(name => name.replace(/^\w+ /, ''));
	/** What was to be kept, and what was to be said, one in twenty and one in a hundred answers. */
	const isEnough = () =>
		count(proxy) >= responses &&
		Math.min(kept, told * 5) > responses / 20 &&
		paths.every(path => garbledPaths().includes(path));
	for (let round = 1; !isEnough() && round <= mostRounds; round++) {
		proxy.cutStreams();
		for (const view of ['explore', 'uploads', 'jobs', 'events'] as const) {
			const before = facts.map(([, , what]) => what(explorer));
			const used = process.cpuUsage();
			read.clear();
			explorer.update(viewed(view));
			const {jobs} = explorer.jobs.known.getState();
			explorer.jobs.look(jobs.map(({id}) => id).slice(0, 5));
			explorer.jobs.open(jobs.find(({kind}) => kind === 'fine-tune'));
			const [entry] = explorer.uploads.known.getState().entries;
			if (entry !== undefined) explorer.uploads.lookInto(entry);
			// A dataset that nobody knows is looked for, and the filter stays.
			explorer.filterBy({...noFilter, datasets: ['nowhere']});
			explorer.refetch();
			await requests.settled();
			const {user, system} = process.cpuUsage(used);
			longestMs = Math.max(longestMs, (user + system) / 1000);
			for (const [index, [name, readers, what]] of facts.entries()) {
				if (readers.some(reader => read.has(reader))) continue;
				expect([name, what(explorer)]).toEqual([name, before[index]]);
				kept++;
			}
			const {freshness} = explorer.window.result.getState();
			if (
				['explore', 'localExplore'].some(each => read.has(each)) ||
				freshness.state === 'loading' ||
				freshness.state === 'fresh'
			)
				continue;
			expect(freshness.reason).toMatch(/\S/);
			told++;
		}
		// The question changes now and then; its first answer is a true one, or there would be nothing to keep.
		if (round % 5 > 0) continue;
		proxy.garble(0);
		explorer.filterBy(filters[(round / 5) % filters.length] ?? noFilter);
		for (const view of ['explore', 'uploads', 'jobs'] as const) {
			explorer.update(viewed(view));
			explorer.refetch();
			await requests.settled();
		}
		proxy.garble(90);
	}
	proxy.garble(0);
	explorer.filterBy(noFilter);
	explorer.update(viewed('explore'));
	explorer.refetch();
	await until(
		explorer.window.result,
		({freshness, isPrevious}) => freshness.state === 'fresh' && !isPrevious,
	);
	expect(garbledPaths()).toEqual(expect.arrayContaining([...paths]));
	expect({garbled: count(proxy), kept, told}).toSatisfy(isEnough);
	// Of the processor, so that other programs do not count; some fifty as a rule.
	expect(longestMs).toBeLessThan(2000);
}

test(
	`${ofDocument} garbled answers of a service of the document: nothing breaks, and what was known stays`,
	async () => {
		const service = await hosted({episodes: 60});
		service.state.syncs.set(operation, {
			phase: 'preparing',
			done: false,
			progress_json: '{"done":3,"total":9}',
		});
		const paths = [
			'/v1/datasets/explore',
			'/v1/datasets/sync-status/{id}',
			'/v1/jobs/list',
			'/v1/finetune/{id}',
			'/v1/events',
			'/local/v1',
		];
		await endure(service, {responses: ofDocument, paths, seed: 11});
	},
	patience(ofDocument, 100),
);

test(
	`${ofEmbedded} garbled answers of an embedded service: nothing breaks, and what was known stays`,
	async () => {
		const service = await lakes.serve({trainer: undefined});
		await started(service);
		const paths = [
			'/v1/datasets/explore',
			'/local/v1/explore',
			'/v1/jobs/list',
			'/local/v1',
			'/local/v1/ingests',
			'/local/v1/uploads',
			'/local/v1/augmentations',
			'/local/v1/jobs/{id}',
			'/local/v1/jobs/{id}/log',
		];
		await endure(service, {responses: ofEmbedded, paths, seed: 12});
	},
	patience(ofEmbedded, 600),
);

const onScreen = times(30, 1000);

const showsLake = ({text}: Screen) => text.includes('▢');

test(
	`${onScreen} garbled answers under the built program: it draws, takes keys, and nothing is in its log`,
	async () => {
		const service = await hosted({episodes: 60});
		const proxy = await startGarblingProxy(service.url, randomFrom(13));
		const explorer = explore(home, [], {
			cols: 120,
			rows: 30,
			service: {url: proxy.url, key: service.key},
			deadlineMs: patience(onScreen, 10),
		});
		await explorer.until(isFresh, 'the lake');
		proxy.garble(80);
		while (count(proxy) < onScreen) {
			for (const view of ['2', '3', '7']) {
				explorer.press(view, 'r', 'j', 'enter');
				await explorer.until(screen => !showsLake(screen), `view ${view}`);
			}
			explorer.press('1', 'r', 'j', 'enter');
			await explorer.until(showsLake, 'the lake');
		}
		proxy.garble(0);
		explorer.press('1', 'r');
		await explorer.until(({text}) => /● live|◐ polling/.test(text), 'the lake again');
		explorer.press('q');
		expect((await explorer.untilExit()).code).toBe(0);
		const log = home.at('state', 'lakescope', 'lakescope.log');
		expect(existsSync(log) ? readFileSync(log, 'utf8') : '').toBe('');
	},
	patience(onScreen, 100),
);
