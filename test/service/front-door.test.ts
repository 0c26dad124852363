import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {runtimeFileOf} from '../../source/service/daemon/runtime-file.ts';
import type {JoinedService} from '../../source/service/front-door.ts';
import {type Answer, call} from './support/call.ts';
import {processesOver, serviceHome} from './support/service-home.ts';

const home = serviceHome();

/** Those that serve a lake, without the processes of this test that only join it. */
const servicesOver = (lake: string) => processesOver(`--lake\0${lake}\0`);

test('who comes first starts the service, who comes later joins it', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	const second = await home.join(lake);
	expect([first.startedHere, second.startedHere]).toEqual([true, false]);
	expect([second.url, second.key, second.pid]).toEqual([first.url, first.key, first.pid]);
	expect((await call(second, '/local/v1')).json()).toMatchObject({
		service: 'lakescope',
		lake: {folder: lake, sample: false, datasets: 0, episodes: 0},
	});
});

test('a service that is starting is asked before it answers, and answers then', async () => {
	const lake = home.lake();
	let asked: Promise<Answer> | undefined;
	const order: string[] = [];
	const service = await home.join(lake, {
		onStarting(starting) {
			order.push('started');
			asked = call(starting, '/local/v1');
		},
	});
	order.push('joined');
	expect(order).toEqual(['started', 'joined']);
	const answer = await asked;
	expect(answer?.status).toBe(200);
	expect(answer?.json()).toMatchObject({lake: {folder: lake}});
	expect((await call(service, '/local/v1')).status).toBe(200);
	expect((await call({...service, key: 'another'}, '/local/v1')).status).toBe(401);
});

test('what is asked of a service that cannot start is refused by the system, and the reason is told', async () => {
	const lake = home.lake();
	await mkdir(lake, {recursive: true});
	await writeFile(path.join(lake, 'lake.duckdb'), 'no database');
	let asked: Promise<unknown> | undefined;
	const joining = home.join(lake, {
		onStarting(starting) {
			asked ??= call(starting, '/local/v1').catch((error: NodeJS.ErrnoException) => error.code);
		},
	});
	await expect(joining).rejects.toThrow(lake);
	expect(await asked).toMatch(/^ECONN/);
});

test('five that come at once, each a process of its own, get one service', async () => {
	const lake = home.lake();
	await home.join(home.lake()).then(service => service.leave());
	const children = Array.from({length: 5}, () =>
		fork(path.join(import.meta.dirname, 'support/joiner.ts'), [lake], {execArgv: []}),
	);
	try {
		const answers = await Promise.all(children.map(child => once(child, 'message')));
		const found = answers.map(
			([answer]) => answer as Pick<JoinedService, 'url' | 'key' | 'pid' | 'startedHere'>,
		);
		expect(new Set(found.map(({url, key, pid}) => `${url} ${key} ${pid}`)).size).toBe(1);
		expect(found.filter(({startedHere}) => startedHere)).toHaveLength(1);
		await expect.poll(() => servicesOver(lake)).toEqual([found[0]?.pid]);
	} finally {
		for (const child of children) child.kill('SIGKILL');
	}
});

test('a service that was killed is followed by another over the same lake', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	process.kill(first.pid, 'SIGKILL');
	await first.lost;
	const second = await home.join(lake);
	expect(second.startedHere).toBe(true);
	expect(second.pid).not.toBe(first.pid);
	expect((await call(second, '/local/v1')).status).toBe(200);
});

test('the port of a killed service, taken by another program, is not given the key of the lake', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	process.kill(first.pid, 'SIGKILL');
	await first.lost;
	const stranger = createServer((_, response) => response.end('<html>Welcome</html>'));
	stranger.listen(Number(new URL(first.url).port), '127.0.0.1');
	await once(stranger, 'listening');
	try {
		const second = await home.join(lake);
		expect(second.startedHere).toBe(true);
		expect(second.url).not.toBe(first.url);
		expect(second.key).not.toBe(first.key);
	} finally {
		stranger.close();
	}
});

test('a service is found though XDG_RUNTIME_DIR is another', async () => {
	const lake = home.lake();
	const first = await home.join(lake);
	const usual = process.env.XDG_RUNTIME_DIR;
	try {
		process.env.XDG_RUNTIME_DIR = path.join(home.root, 'elsewhere');
		await mkdir(process.env.XDG_RUNTIME_DIR, {mode: 0o700});
		expect((await home.join(lake)).pid).toBe(first.pid);
	} finally {
		process.env.XDG_RUNTIME_DIR = usual;
	}
});

test('the key is in a file that only its user can read, and nowhere else', async () => {
	const lake = home.lake();
	const {key, pid, url} = await home.join(lake);
	const file = await runtimeFileOf(lake);
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
	expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({url, key, pid, lake});
	const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
	const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
	const inTheLake = await Promise.all(
		(await readdir(lake, {withFileTypes: true}))
			.filter(entry => entry.isFile())
			.map(entry => readFile(path.join(lake, entry.name), 'latin1')),
	);
	expect([commandLine, environment, ...inTheLake].filter(text => text.includes(key))).toEqual([]);
});

test('a runtime folder that others may enter is refused', async () => {
	const usual = process.env.XDG_RUNTIME_DIR;
	const open = path.join(home.root, 'open');
	await mkdir(path.join(open, 'lakescope'), {recursive: true, mode: 0o755});
	try {
		process.env.XDG_RUNTIME_DIR = open;
		await expect(home.join(home.lake())).rejects.toThrow(/open\/lakescope: others may enter it.*0700/);
	} finally {
		process.env.XDG_RUNTIME_DIR = usual;
	}
});

test('a lake file of a newer version is named, and left as it is', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	process.kill(service.pid, 'SIGTERM');
	await service.lost;
	await expect.poll(() => servicesOver(lake)).toEqual([]);
	const file = path.join(lake, 'operations.db');
	const database = new DatabaseSync(file);
	database.exec('PRAGMA user_version = 99');
	database.close();
	const before = await readFile(file);
	await expect(home.join(lake)).rejects.toThrow(
		/operations\.db was written by a newer lakescope \(format 99; this one knows \d+\)\. Update lakescope/,
	);
	expect(await readFile(file)).toEqual(before);
	await expect.poll(() => servicesOver(lake)).toEqual([]);
});

test('a lake file that is none is named', async () => {
	const lake = home.lake();
	await mkdir(lake);
	await writeFile(path.join(lake, 'lake.duckdb'), 'x'.repeat(20_000));
	await expect(home.join(lake)).rejects.toThrow(path.join(lake, 'lake.duckdb'));
	await expect.poll(() => servicesOver(lake)).toEqual([]);
});

test.each([
	['is a file', async (lake: string) => writeFile(lake, '')],
	['lies under a file', async (lake: string) => writeFile(path.dirname(lake), '')],
])('a lake folder that %s gives a sentence with the way out', async (_, prepare) => {
	const lake = path.join(home.lake(), 'deep');
	if (_ === 'is a file') await mkdir(path.dirname(lake));
	await prepare(lake);
	await expect(home.join(lake)).rejects.toThrow(
		new RegExp(`Cannot use the lake folder ${lake}: .*\\. Choose another folder with --lake DIR`),
	);
});

test('a lake in which nothing can be written gives a sentence with the way out', async () => {
	await expect(home.join('/proc/lakescope-lake')).rejects.toThrow(
		/Cannot use the lake folder \/proc\/lakescope-lake: .*\. Choose another folder/,
	);
});

test('a lake of recordings is not opened as the sample, and the sample stays one', async () => {
	const recordings = home.lake();
	const plain = await home.join(recordings);
	plain.leave();
	// That its client has gone is heard a moment later.
	const refusal = () => home.join(recordings, {sample: true}).catch((error: Error) => error.message);
	await expect.poll(refusal).toMatch(/is one of recordings, not the sample/);
	const folder = home.lake();
	const sample = await home.join(folder, {sample: true});
	process.kill(sample.pid, 'SIGTERM');
	await sample.lost;
	const again = await home.join(folder);
	expect((await call(again, '/local/v1')).json()).toMatchObject({lake: {sample: true}});
});

test('joining is given up when it is asked to be', async () => {
	const stopped = AbortSignal.abort(new Error('not needed any more'));
	await expect(home.join(home.lake(), {signal: stopped})).rejects.toThrow('not needed any more');
});

test('a service that has stopped answering is named with its process', async () => {
	const lake = home.lake();
	const service = await home.join(lake);
	process.kill(service.pid, 'SIGSTOP');
	try {
		await expect(home.join(lake, {patienceMs: 1500})).rejects.toThrow(`kill ${service.pid}`);
	} finally {
		process.kill(service.pid, 'SIGCONT');
	}
});

test('a lake that is served on another machine is said to be', async () => {
	const lake = home.lake();
	await mkdir(lake);
	const lock = new DatabaseSync(path.join(lake, 'service.lock'));
	lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
	try {
		const pointer = {runtime_file: '/run/user/1/lakescope/x.json', pid: 7, host: 'lab-9.example'};
		await writeFile(path.join(lake, 'service.json'), JSON.stringify(pointer));
		await expect(home.join(lake, {patienceMs: 500})).rejects.toThrow(
			/another machine \(lab-9\.example, process 7\)/,
		);
	} finally {
		lock.close();
	}
});

test('the front door loads neither the engine nor the server nor the schemas', async () => {
	const child = fork(path.join(import.meta.dirname, 'support/loaded-modules.ts'), {
		execArgv: [],
		silent: true,
	});
	const [loaded] = (await once(child, 'message')) as [string[]];
	expect(loaded.filter(url => url.includes('/node_modules/'))).toEqual([]);
});
