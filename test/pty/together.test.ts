import {execFileSync} from 'node:child_process';
import {mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test, vi} from 'vitest';
import {lakeFileName} from '../../source/files/state.ts';
import {programHome} from '../commands/support/program.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

const servicePid = async (lake: string): Promise<number> =>
	JSON.parse(await readFile(path.join(lake, 'service.json'), 'utf8').catch(() => '{}')).pid;

/** Marks a lake as one of some version of the program. */
function setFormat(lake: string, format: number): void {
	using database = new DatabaseSync(path.join(lake, 'operations.db'), {timeout: 5000});
	database.exec(`PRAGMA user_version = ${format}`);
}

test('two explorers and an ingest share one lake, and closing one leaves the others working', async () => {
	const lake = home.at('lake');
	await home.run(['ingest', '--lake', lake, await smallDataset(home.at('first'), {episodes: 3})]);
	const one = explore(home, ['--lake', lake], {cols: 120, rows: 30});
	const two = explore(home, ['--lake', lake]);
	await one.untilText('1 of 3');
	await two.untilText('1 of 3');

	const folder = await smallDataset(home.at('second'), {episodes: 40, frames: 90});
	const ingest = await home.run(['ingest', '--lake', lake, folder]);
	expect(ingest).toMatchObject({code: 0});
	await one.untilText('1 of 43');
	await two.untilText('1 of 43');

	one.press('q');
	expect((await one.untilExit()).code).toBe(0);
	const {code, stdout} = await home.run(['episodes', '--lake', lake, '--json', '--limit', '1']);
	expect(code).toBe(0);
	expect(JSON.parse(stdout).total).toBe(43);
	two.press('G', 'r');
	await two.untilText('43 of 43');
	await two.until(isFresh, 'a fresh result');
}, 60_000);

test('an empty lake chosen by name says how to fill it, and shows ingested datasets', async () => {
	const lake = home.at('empty');
	const explorer = explore(home, ['--lake', lake]);
	await explorer.untilText('The lake has no episodes yet.');
	const folder = await smallDataset(home.at('third'), {episodes: 2});
	await home.run(['ingest', '--lake', lake, folder]);
	await explorer.untilText('1 of 2');
}, 40_000);

test('LeRobot datasets of this machine are offered to an empty lake, and ingested', async () => {
	const lake = home.at('offered');
	await smallDataset(home.at('lerobot/me/push'), {episodes: 4});
	await smallDataset(home.at('lerobot/me/pull'), {episodes: 2});
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 30});
	// A frame may come in pieces: all that is expected of it is waited for together.
	const offered = ['Your lake is empty', '2 datasets', 'me/push'];
	await explorer.until(({text}) => offered.every(each => text.includes(each)), 'the offer');
	explorer.press('j', 'enter');
	await explorer.until(screen => screen.text.includes('1 of 4') && screen.row('push') !== undefined, 'push');
	expect(await readdir(home.at('lerobot/me/push'))).toContain('meta');
}, 40_000);

test('an embedded service that was killed is restarted, and the explorer continues where it was', async () => {
	const lake = home.at('killed');
	await home.run(['ingest', '--lake', lake, await smallDataset(home.at('fourth'), {episodes: 30})]);
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 30});
	await explorer.until(isFresh, 'the lake');
	explorer.press('G');
	await explorer.untilText('30 of 30');
	const before = await servicePid(lake);
	process.kill(before, 'SIGKILL');
	await explorer.untilText('starting it again');
	await vi.waitUntil(async () => ![before, undefined].includes(await servicePid(lake)), {timeout: 15_000});
	explorer.press('g');
	await explorer.untilText('1 of 30');
	explorer.press('r');
	await explorer.until(isFresh, 'the lake, from the new service');
}, 60_000);

test('keys pressed while the explorer switches to the next service are not lost', async () => {
	const lake = home.at('pressed');
	await home.run(['ingest', '--lake', lake, await smallDataset(home.at('sixth'), {episodes: 30})]);
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 30});
	await explorer.until(isFresh, 'the lake');
	explorer.press('G');
	await explorer.untilText('30 of 30');
	// What is remembered of the lake is read on the way to the next service, and a pipe is read when somebody writes.
	const remembered = home.at('state', 'lakescope', `${lakeFileName('remembered', lake)}.json`);
	await mkdir(path.dirname(remembered), {recursive: true});
	await rm(remembered, {force: true});
	execFileSync('mkfifo', [remembered]);
	const before = await servicePid(lake);
	process.kill(before, 'SIGKILL');
	await vi.waitUntil(async () => ![before, undefined].includes(await servicePid(lake)), {timeout: 15_000});
	explorer.press('g');
	await explorer.untilText('1 of 30');
	await writeFile(remembered, '{}');
	// The explorer sets aside what is no memory of a lake; whichever comes first, the pipe goes.
	await rm(remembered, {force: true});
	explorer.press('r');
	await explorer.until(screen => isFresh(screen) && !screen.text.includes('gone'), 'the new service');
	expect(explorer.screen().text).toContain(' 1 of 30');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);

test('an embedded service that cannot be restarted at once is restarted later', async () => {
	const lake = home.at('stuck');
	await home.run(['ingest', '--lake', lake, await smallDataset(home.at('fifth'), {episodes: 3})]);
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 30});
	await explorer.until(isFresh, 'the lake');
	setFormat(lake, 999);
	const before = await servicePid(lake);
	process.kill(before, 'SIGKILL');
	await explorer.untilText('was written by a newer lakescope');
	setFormat(lake, 1);
	await vi.waitUntil(async () => ![before, undefined].includes(await servicePid(lake)), {timeout: 15_000});
	await explorer.until(isFresh, 'the lake, from the new service');
}, 60_000);
