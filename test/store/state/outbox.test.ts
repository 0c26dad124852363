import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {hostname, tmpdir} from 'node:os';
import path from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {OutcomeUnknownError} from '../../../source/client/errors.ts';
import {createQueryClient} from '../../../source/store/queries/query-client.ts';
import {type NewEntry, Outbox} from '../../../source/store/state/outbox.ts';
import {rememberedOf} from '../support.ts';

let home: string;

beforeEach(async () => {
	home = await mkdtemp(path.join(tmpdir(), 'lakescope-orders-'));
	vi.stubEnv('XDG_STATE_HOME', home);
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await rm(home, {recursive: true, force: true});
	});
});

const entry: NewEntry = {id: 'o1', kind: 'fine-tune', name: 'act on cups', request: {hours: 2}};
const lost = () =>
	Promise.reject(new OutcomeUnknownError('The answer was lost.', 'POST /v1/finetune', undefined));
const nowhere = () => Promise.resolve(undefined);

/** The orders of a run; those of the next are given its moment. */
async function run({now = Date.now(), stopped = new AbortController()} = {}) {
	const remembered = rememberedOf('a lake');
	const queries = createQueryClient();
	onTestFinished(() => queries.clear());
	await remembered.recall(queries);
	const orders = new Outbox({remembered, signal: stopped.signal, pauses: [0, 0], now: () => now});
	return {remembered, orders, stopped};
}

function onDisk(): readonly string[] {
	const folder = path.join(home, 'lakescope');
	const [name = ''] = readdirSync(folder);
	const {orders} = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as {orders: {id: string}[]};
	return orders.map(({id}) => id);
}

test('what is sent is on the disk before it is sent, and gone from there once its answer is noted', async () => {
	const {remembered, orders} = await run();
	const steps: string[] = [];
	const outcome = await orders.send(entry, {
		send: async () => {
			steps.push(`sent, kept ${onDisk()}`);
			return 'j1';
		},
		look: nowhere,
		note: job => {
			steps.push(`noted, ${orders.isOpen('o1') ? 'open' : 'settled'}`);
			remembered.launched({jobId: job});
		},
	});
	expect(outcome).toEqual({kind: 'made', made: 'j1', isAnswered: true});
	expect(steps).toEqual(['sent, kept o1', 'noted, open']);
	await remembered.keep();
	expect(onDisk()).toEqual([]);
	expect(remembered.launchOf('j1')).toBeDefined();
});

test('where it cannot be written down nothing is sent', async () => {
	await writeFile(path.join(home, 'lakescope'), 'no folder');
	const {orders} = await run();
	const send = vi.fn(() => Promise.resolve('j1'));
	const outcome = await orders.send(entry, {send, look: nowhere});
	expect(send).not.toHaveBeenCalled();
	expect(outcome).toMatchObject({
		kind: 'refused',
		error: {message: expect.stringMatching(/^Nothing was sent: /)},
	});
	expect(orders.underWay).toEqual([]);
});

test('a refusal settles it', async () => {
	const {orders} = await run();
	const no = new Error('no such project');
	expect(await orders.send(entry, {send: () => Promise.reject(no), look: nowhere})).toEqual({
		kind: 'refused',
		error: no,
	});
	expect(orders.isOpen('o1')).toBe(false);
});

test('an answer that was lost is settled by reading, and nothing is sent twice', async () => {
	const {orders} = await run();
	const send = vi.fn(lost);
	const told: string[] = [];
	const look = vi.fn(() => Promise.resolve('j1')).mockRejectedValueOnce(new Error('away'));
	const outcome = await orders.send(entry, {send, look, lost: reason => told.push(reason)});
	expect(outcome).toEqual({kind: 'made', made: 'j1', isAnswered: false});
	expect(send).toHaveBeenCalledOnce();
	expect(told).toEqual(['The answer was lost.']);
});

test('what is not there so far stays, and the next run is told of it', async () => {
	const first = await run();
	const stopped = new AbortController();
	expect(await first.orders.send(entry, {send: lost, look: nowhere})).toMatchObject({kind: 'unknown'});
	expect(first.orders.underWay).toEqual(['act on cups']);
	expect(first.orders.left()).toEqual([]);
	const next = await run({stopped});
	expect(next.orders.left()).toMatchObject([{id: 'o1', request: {hours: 2}}]);
	expect(await next.orders.settle('o1', {look: () => Promise.resolve('j1')}, '')).toMatchObject({made: 'j1'});
	await next.remembered.keep();
	expect((await run()).orders.left()).toEqual([]);
});

test('what is not there two minutes later was not made; what could not be read is not said to be so', async () => {
	const first = await run();
	await first.orders.send(entry, {send: lost, look: nowhere});
	const later = await run({now: Date.now() + 180_000});
	const away = () => Promise.reject(new Error('away'));
	expect(await later.orders.settle('o1', {look: away}, 'it was cut off')).toEqual({
		kind: 'unknown',
		reason: 'it was cut off',
	});
	expect(later.orders.isOpen('o1')).toBe(true);
	expect(await later.orders.settle('o1', {look: nowhere}, '')).toEqual({kind: 'absent'});
	expect(later.orders.isOpen('o1')).toBe(false);
});

test('a program that ends while it looks leaves it to the next', async () => {
	const {orders, stopped} = await run();
	const look = () => {
		stopped.abort();
		return Promise.reject(new Error('closed'));
	};
	expect(await orders.send(entry, {send: lost, look})).toEqual({kind: 'left'});
	expect(orders.isOpen('o1')).toBe(true);
});

test('what another explorer is sending is left to it while it runs', async () => {
	const {remembered, orders} = await run();
	const gone = spawnSync(process.execPath, ['-e', '']).pid;
	const by = (pid: number, host = hostname()) => ({...entry, at: 0, by: {host, pid}});
	await remembered.sent({...by(process.ppid), id: 'alive'});
	await remembered.sent({...by(gone), id: 'gone'});
	await remembered.sent({...by(process.ppid, 'elsewhere'), id: 'elsewhere'});
	expect(orders.left().map(({id}) => id)).toEqual(['gone', 'elsewhere']);
});
