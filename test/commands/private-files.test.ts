import {spawn} from 'node:child_process';
import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, inject, test} from 'vitest';
import {explore, isWhole} from '../pty/support.ts';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {processesOver} from '../service/support/service-home.ts';
import {ended, programHome} from './support/program.ts';

const home = programHome();

const others = 0o077;

/** Every file below a folder, with its mode. */
function modesBelow(folder: string): Record<string, string> {
	const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter(entry => entry.isFile());
	return Object.fromEntries(
		files.map(entry => {
			const file = path.join(entry.parentPath, entry.name);
			const mode = statSync(file, {throwIfNoEntry: false})?.mode ?? 0;
			return [path.relative(folder, file), (mode & 0o777).toString(8)];
		}),
	);
}

const openToOthers = (folder: string) =>
	Object.entries(modesBelow(folder)).filter(([, mode]) => (Number.parseInt(mode, 8) & others) !== 0);

/** Runs the program under a umask. */
function run(umask: string, args: readonly string[], env: Record<string, string> = {}) {
	const words = ['-c', 'umask "$0" && exec "$@"', umask, process.execPath, inject('cli'), ...args];
	return ended(
		spawn('/bin/sh', words, {
			cwd: home.root,
			env: {...home.env, ...env} as NodeJS.ProcessEnv,
			stdio: ['ignore', 'pipe', 'pipe'],
		}),
	);
}

const servicesOver = (lake: string) => processesOver(`embedded-service.js\0--lake\0${lake}\0`);

/** Ends a lake's service as a crash does, which leaves its write-ahead logs. */
async function kill(lake: string): Promise<void> {
	for (const pid of servicesOver(lake)) process.kill(pid, 'SIGKILL');
	await expect.poll(() => servicesOver(lake)).toEqual([]);
}

/** What the umask lets others do with a lake that lies in a folder they may enter. */
function openLake(name: string): string {
	const lake = home.at(name);
	mkdirSync(lake);
	chmodSync(lake, 0o755);
	return lake;
}

const staying = {LAKESCOPE_SERVICE_GRACE_MS: '600000'};

test('others read no file of a lake, though its folder is open to them and the umask too', async () => {
	const lake = openLake('lake');
	await armDataset(home.at('one'), siblings(3));
	const made = await run('000', ['ingest', '--lake', lake, home.at('one')], staying);
	expect(made.code).toBe(0);
	const known = Object.keys(modesBelow(lake));
	expect(known).toEqual(
		expect.arrayContaining(['lake.duckdb', 'operations.db', 'operations.db-wal', 'operations.db-shm']),
	);
	expect(known).toEqual(expect.arrayContaining(['service.lock', 'service.log', 'service.json']));
	expect(openToOthers(lake)).toEqual([]);
	await kill(lake);
});

test('an open lake of an older version is closed to others by the next start, its write-ahead logs too', async () => {
	const lake = openLake('old-lake');
	await armDataset(home.at('two'), siblings(3));
	expect((await run('022', ['ingest', '--lake', lake, home.at('two')], staying)).code).toBe(0);
	await kill(lake);
	writeFileSync(path.join(lake, 'service.log.1'), 'older\n');
	mkdirSync(path.join(lake, 'jobs', 'a-job'), {recursive: true});
	writeFileSync(path.join(lake, 'jobs', 'a-job', 'train.log'), 'began\n');
	writeFileSync(path.join(lake, 'notes.txt'), 'a file of somebody’s own');
	for (const file of Object.keys(modesBelow(lake))) chmodSync(path.join(lake, file), 0o644);
	expect(openToOthers(lake).map(([file]) => file)).toContain('operations.db-wal');
	expect((await run('022', ['episodes', '--lake', lake, '--json'], staying)).code).toBe(0);
	await expect.poll(() => openToOthers(lake)).toEqual([['notes.txt', '644']]);
	await kill(lake);
});

test('a dataset that is composed follows the umask, as one recorded here does', async () => {
	const lake = openLake('composing');
	await armDataset(home.at('three'), siblings(3));
	await run('022', ['ingest', '--lake', lake, home.at('three')], staying);
	// The service is the one that was started under this umask.
	const made = await run('022', ['compose', '--lake', lake, 'best', 'index:1'], staying);
	expect(made.code).toBe(0);
	const modes = modesBelow(path.join(lake, 'composed'));
	expect(Object.keys(modes).length).toBeGreaterThan(3);
	expect(new Set(Object.values(modes))).toEqual(new Set(['644']));
	await kill(lake);
});

test('what the explorer remembers is closed to others by its next start', async () => {
	const lake = openLake('remembered');
	const folders = ['state', 'cache'].map(kind => home.at(kind, 'lakescope'));
	for (const folder of folders) {
		mkdirSync(folder, {recursive: true});
		chmodSync(folder, 0o755);
		writeFileSync(path.join(folder, 'older.json'), '{}', {mode: 0o644});
	}
	writeFileSync(home.at('state', 'lakescope', 'lakescope.log'), 'an entry\n', {mode: 0o644});
	// Its compiled code, too, lies in its own cache then.
	const program = explore(home, ['--lake', lake], {env: {NODE_COMPILE_CACHE: undefined}});
	await program.until(isWhole, 'the first frame');
	await expect.poll(() => folders.flatMap(openToOthers)).toEqual([]);
	program.press('q');
	expect((await program.untilExit()).code).toBe(0);
	expect(folders.flatMap(openToOthers)).toEqual([]);
});

test('the embedded service that a command starts holds neither the key of a hosted one nor a password of an engine', async () => {
	const lake = openLake('secrets');
	const secrets = {
		LAKESCOPE_API_KEY: 'secret-key',
		LAKESCOPE_CLICKHOUSE_PASSWORD: 'secret-password',
		LAKESCOPE_CLICKHOUSE_URL: 'http://lab:secret-word@clickhouse.lab:8123',
		HF_TOKEN: 'for-the-trainer',
	};
	const listed = await run('022', ['datasets', '--lake', lake, '--json'], {...staying, ...secrets});
	expect(listed.code).toBe(0);
	const [pid] = servicesOver(lake);
	const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
	expect(environment).toContain('HF_TOKEN=for-the-trainer');
	expect(environment.filter(each => each.includes('secret'))).toEqual([]);
	await kill(lake);
});
