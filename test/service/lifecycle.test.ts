import {fork} from 'node:child_process';
import {once} from 'node:events';
import {readdir, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {retire} from '../../source/service/daemon/retire.ts';
import {readRuntimeRecord, runtimeFileOf} from '../../source/service/daemon/runtime-file.ts';
import {call} from './support/call.ts';
import {processesOver, serviceHome} from './support/service-home.ts';

const home = serviceHome();

const servicesOver = (lake: string) => processesOver(`--lake\0${lake}\0`);
const untilGone = (lake: string) => expect.poll(() => servicesOver(lake)).toEqual([]);

async function exists(file: string): Promise<boolean> {
	return stat(file).then(
		() => true,
		() => false,
	);
}

test('a service ends soon after its last client, and leaves no trace of having run', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	const second = await home.join(lake);
	first.leave();
	await first.lost;
	expect((await call(second, '/local/v1')).status).toBe(200);
	second.leave();
	await untilGone(lake);
	expect(await exists(await runtimeFileOf(lake))).toBe(false);
	expect((await readdir(lake)).sort()).toEqual([
		'lake.duckdb',
		'operations.db',
		'service.lock',
		'service.log',
		'staging',
	]);
});

test('a service stays for a client that asks for nothing', async () => {
	const held = home.lake();
	const service = await home.join(held);
	let lost = false;
	void service.lost.then(() => {
		lost = true;
	});
	const left = home.lake();
	(await home.join(left)).leave();
	await untilGone(left);
	expect(lost).toBe(false);
	expect((await call(service, '/local/v1')).status).toBe(200);
});

test('a client that is killed does not keep its service', async () => {
	const lake = home.lake();
	const client = fork(path.join(import.meta.dirname, 'support/joiner.ts'), [lake], {execArgv: []});
	const hasJoined = once(client, 'message');
	try {
		await home.join(home.lake());
		await hasJoined;
		expect(servicesOver(lake)).toHaveLength(1);
	} finally {
		client.kill('SIGKILL');
	}
	await untilGone(lake);
});

test('a lake that is removed and made anew gets a service of its own at once, and the old one ends', async () => {
	const lake = home.lake();
	const old = await home.join(lake);
	await rm(lake, {recursive: true});
	const fresh = await home.join(lake);
	expect(fresh.pid).not.toBe(old.pid);
	await old.lost;
	await expect.poll(() => servicesOver(lake), {timeout: 10_000}).toEqual([fresh.pid]);
	expect(await readRuntimeRecord(lake)).toMatchObject({pid: fresh.pid});
	expect((await call(fresh, '/local/v1')).status).toBe(200);
});

test('a lake whose service left no word in it is joined all the same', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	await rm(path.join(lake, 'service.json'));
	expect((await home.join(lake)).pid).toBe(first.pid);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends a service at once, and in order', async signal => {
	const lake = home.lake();
	const service = await home.join(lake);
	process.kill(service.pid, signal);
	await service.lost;
	await untilGone(lake);
	expect(await exists(await runtimeFileOf(lake))).toBe(false);
	expect(await exists(path.join(lake, 'lake.duckdb.wal'))).toBe(false);
});

test('a service makes room for another when it idles, and says why when it does not', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	const record = await readRuntimeRecord(lake);
	expect(record).toMatchObject({url: service.url, key: service.key});
	if (!record) return;
	expect(await retire(record)).toBe('it has 1 client');
	service.leave();
	await expect.poll(() => retire(record)).toBeUndefined();
	await untilGone(lake);
	expect(await retire(record)).toBeUndefined();
});
