import {Agent, request} from 'node:http';
import path from 'node:path';
import {expect, test, vi} from 'vitest';
import {BenchLake, datasetSizes} from '../../bench/lake/bench-lake.ts';
import type {ExploreRequest} from '../../source/contract/explore.ts';
import {prepareLakeFolder} from '../../source/service/daemon/lake-folder.ts';
import {DuckDbLake} from '../../source/service/lake/duckdb/duckdb-lake.ts';
import {type Address, call} from '../service/support/call.ts';
import {serviceHome} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {isSoak} from './support/soak.ts';

const home = serviceHome();
const clients = 32;
const episodes = 1_000_000;
const measuredMs = 30_000;

/** What explorers ask for, one after the other. */
const requests: readonly ExploreRequest[] = [
	{limit: 200},
	{limit: 200, tiers: ['retrainable'], numeric_predicates: [{field: 'quality_score', op: 'gte', value: 0.5}]},
	{limit: 200, search: 'towel'},
	{limit: 200, offset: 500_000, order_desc: true},
	{limit: 50, channel_predicates: [{channel: 'gripper.pos', agg: 'max', op: 'gt', value: 90}]},
];

async function largeLake(): Promise<string> {
	const folder = await prepareLakeFolder(home.lake());
	const made = await BenchLake.create(folder);
	const lake = await DuckDbLake.open(folder);
	for (const [number, size] of datasetSizes(episodes).entries()) {
		await lake.publish(await made.stage(number, size));
	}
	await lake.close();
	made.close();
	return folder;
}

function explore({url, key}: Address, agent: Agent, asked: ExploreRequest): Promise<number> {
	const body = JSON.stringify(asked);
	const begun = performance.now();
	return new Promise((resolve, reject) => {
		const sent = request(
			new URL('/v1/datasets/explore', url),
			{
				method: 'POST',
				agent,
				headers: {'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length},
			},
			answer => {
				answer.resume();
				answer.once('error', reject);
				answer.once('end', () =>
					answer.statusCode === 200
						? resolve(performance.now() - begun)
						: reject(new Error(`status ${answer.statusCode} for ${body}`)),
				);
			},
		);
		sent.once('error', reject);
		sent.end(body);
	});
}

/** The 95th percentile over all clients, and how many answers there were. */
async function measure(service: Address): Promise<{p95: number; answers: number}> {
	const agent = new Agent({keepAlive: true, maxSockets: clients});
	const until = performance.now() + measuredMs;
	const taken: number[] = [];
	const client = async (number: number) => {
		for (let n = number; performance.now() < until; n++) {
			taken.push(await explore(service, agent, requests[n % requests.length] ?? {}));
		}
	};
	await Promise.all(Array.from({length: clients}, (_, number) => client(number)));
	agent.destroy();
	return {p95: taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? 0, answers: taken.length};
}

test.runIf(isSoak)(
	'32 clients explore 1,000,000 episodes without an error, while four datasets are taken in and without',
	async () => {
		const service = await home.join(await largeLake());
		const folders = await Promise.all(
			[0, 1, 2, 3].map(n =>
				smallDataset(path.join(home.root, `taken-in-${n}`), {episodes: 400, frames: 900}),
			),
		);
		await measure(service);
		const alone = await measure(service);
		for (const folder of folders) {
			expect((await call(service, '/local/v1/ingests', {body: {folder}})).status).toBe(202);
		}
		const beside = await measure(service);
		await vi.waitFor(
			async () => {
				const {items} = (await call(service, '/local/v1/ingests')).json<{
					items: Array<{status: {phase: string}}>;
				}>();
				expect(items.map(({status}) => status.phase)).toEqual(Array(4).fill('finalized'));
			},
			{timeout: 120_000, interval: 500},
		);
		const shown = ({p95, answers}: {p95: number; answers: number}) =>
			`p95 ${p95.toFixed(0)} ms of ${answers}`;
		console.info(`load: ${shown(beside)} with 4 ingests, ${shown(alone)} without`);
		const {total} = (await call(service, '/v1/datasets/explore', {body: {limit: 1}})).json<{total: number}>();
		expect(total).toBe(episodes + 4 * 400);
	},
	20 * 60_000,
);
