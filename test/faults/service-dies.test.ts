import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test, vi} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {explore, isFresh} from '../pty/support.ts';
import {smallDataset} from '../service/support/small-dataset.ts';

const home = programHome();

const servicePid = async (lake: string): Promise<number | undefined> =>
	JSON.parse(await readFile(path.join(lake, 'service.json'), 'utf8').catch(() => '{}')).pid;

test('an embedded service that keeps dying is restarted after growing pauses', async () => {
	const lake = home.at('lake');
	await home.run(['ingest', '--lake', lake, await smallDataset(home.at('cups'), {episodes: 3})]);
	const explorer = explore(home, ['--lake', lake], {cols: 100, rows: 30});
	await explorer.until(isFresh, 'the lake');
	let killed: number | undefined;
	const kill = async () => {
		await vi.waitUntil(async () => ![killed, undefined].includes(await servicePid(lake)), {timeout: 20_000});
		killed = await servicePid(lake);
		if (killed === undefined) throw new Error('no service runs');
		process.kill(killed, 'SIGKILL');
	};
	await kill();
	await explorer.until(
		({text}) => /stopped; starting it again/.test(text) && !text.includes('● live'),
		'the first restart, at once',
	);
	// One that dies before it is joined is no loss to the explorer: it is started again by whoever wants to join.
	await explorer.until(
		screen => isFresh(screen) && screen.text.includes('● live'),
		'the second service joined',
	);
	await kill();
	await explorer.until(({text}) => /stopped; trying again in \d s/.test(text), 'the second, after a pause');
	await vi.waitUntil(async () => ![killed, undefined].includes(await servicePid(lake)), {timeout: 20_000});
	await explorer.until(isFresh, 'the lake, from the third service');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}, 60_000);
