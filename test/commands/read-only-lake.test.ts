import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {chmodSync, readdirSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {explore, isFresh} from '../pty/support.ts';
import {processesOver} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {programHome} from './support/program.ts';

const home = programHome();
/** More than any disk has free: for the program it is full. */
const full = {LAKESCOPE_FULL_BELOW_BYTES: String(2 ** 62)};

async function lakeOf(name: string): Promise<string> {
	const lake = home.at(name);
	const folder = await smallDataset(home.at(`${name}-data`, 'push'), {episodes: 3});
	expect(await home.run(['ingest', '--lake', lake, folder])).toMatchObject({code: 0});
	await gone(lake);
	return lake;
}

/** Waits until the lake's service has ended. */
async function gone(lake: string): Promise<void> {
	const running = () => processesOver(`embedded-service.js\0--lake\0${lake}\0`).length;
	await expect.poll(running, {timeout: 30_000}).toBe(0);
}

/** What tells the content of the lake's files. */
const contents = (lake: string) =>
	['lake.duckdb', 'operations.db'].map(name =>
		createHash('sha256')
			.update(readFileSync(path.join(lake, name)))
			.digest('hex'),
	);

async function readsAndRefuses(lake: string, env: Record<string, string>, reason: string): Promise<void> {
	const sentence = `The lake ${lake} is open read-only: ${reason}. Nothing in it can be changed`;
	const before = contents(lake);
	const episodes = await home.run(['episodes', '--lake', lake, '--json', 'duration_s>1'], env);
	expect(episodes).toMatchObject({code: 0, stderr: expect.stringContaining(sentence)});
	const {total, episodes: found} = JSON.parse(episodes.stdout);
	expect(total).toBe(3);
	const series = await home.run(
		['api', 'GET', `/local/v1/episodes/${found[0].episode_id}/series`, '--lake', lake],
		env,
	);
	expect(series).toMatchObject({code: 0});
	const records = await home.run(['api', 'GET', '/local/v1/ingests', '--lake', lake], env);
	expect(JSON.parse(records.stdout).items).toMatchObject([{dataset_name: 'push'}]);
	for (const change of [
		['ingest', '--lake', lake, home.at(`${path.basename(lake)}-data`, 'push')],
		['forget', '--lake', lake, '--yes', 'push'],
	]) {
		const refused = await home.run(change, env);
		expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining(sentence)]);
		expect(refused.code).not.toBe(0);
	}
	await gone(lake);
	expect(contents(lake)).toEqual(before);
}

test('a lake on a full disk is read, and says that it is read-only', async () => {
	const lake = await lakeOf('full');
	await readsAndRefuses(lake, full, 'its disk is full');
	const again = await home.run(['ingest', '--lake', lake, home.at('full-data', 'push')]);
	expect(again).toMatchObject({code: 0});
	expect(again.stderr).not.toContain('read-only');
});

test('the explorer of a lake on a full disk shows its episodes, says why it is read-only and marks nothing', async () => {
	const lake = await lakeOf('shown');
	const explorer = explore(home, ['--lake', lake], {cols: 120, rows: 30, env: full});
	await explorer.untilText('The lake is read-only, because its disk is full');
	await explorer.until(isFresh, 'the lake, once that was said for a while');
	explorer.press('-');
	await explorer.untilText('Nothing is changed while lakescope is read-only');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
	await gone(lake);
});

test('a service of a full disk makes way once there is room, though it is still used', async () => {
	const lake = await lakeOf('room-again');
	const held = await home.run(['episodes', '--lake', lake, '--json'], {
		...full,
		LAKESCOPE_SERVICE_GRACE_MS: '60000',
	});
	expect(held.stderr).toContain('is open read-only');
	const ingest = await home.run(['ingest', '--lake', lake, home.at('room-again-data', 'push')]);
	expect(ingest).toMatchObject({code: 0});
	expect(ingest.stderr).not.toContain('read-only');
	await gone(lake);
});

test('a lake whose folder may not be written is read, and says that it is read-only', async context => {
	if (process.getuid?.() === 0) {
		context.skip('root may write everywhere; the next test mounts a read-only file system instead');
	}
	const lake = await lakeOf('forbidden');
	const files = readdirSync(lake).filter(name => statSync(path.join(lake, name)).isFile());
	for (const name of files) chmodSync(path.join(lake, name), 0o400);
	chmodSync(lake, 0o500);
	onTestFinished(() => chmodSync(lake, 0o700));
	await readsAndRefuses(lake, {}, 'permission denied');
});

test('a lake on a read-only file system is read, and says that it is read-only', async context => {
	const lake = await lakeOf('mounted');
	try {
		execFileSync('mount', ['--bind', lake, lake], {stdio: 'ignore'});
	} catch {
		context.skip('mounting takes root');
	}
	onTestFinished(async () => {
		await gone(lake);
		execFileSync('umount', [lake]);
	});
	execFileSync('mount', ['-o', 'remount,ro,bind', lake]);
	await readsAndRefuses(lake, {}, 'the file system is read-only');
});
