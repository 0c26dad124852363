import {truncate, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, inject, test} from 'vitest';
import {smallDataset} from '../service/support/small-dataset.ts';
import {startInPty} from '../support/pty.ts';
import {programHome} from './support/program.ts';

const home = programHome();

const start = (...args: string[]) =>
	startInPty(process.execPath, [inject('cli'), ...args], {cwd: home.root, env: home.env});

test('on a terminal an upload shows bytes, rate and time left, stops on ^C in words, and goes on after', async () => {
	const folder = await smallDataset(home.at('push-1'));
	await writeFile(path.join(folder, 'video.mp4'), 'a long one');
	await truncate(path.join(folder, 'video.mp4'), 4 * 1024 * 1024);
	const lake = home.at('lake');
	const slow = start('upload', '--lake', lake, '--limit-rate', '400K', folder);
	await slow.until(
		({text}) =>
			/push-1 {2}sending {2}[▓░]{12} [\d.]+ [KM]iB of 4\.0 MiB {2}[\d.]+ KiB\/s {2}\d.* left/.test(text),
		'the bar',
	);
	slow.press('ctrl+c');
	expect(await slow.untilExit()).toMatchObject({code: 130});
	const last = (await slow.settled()).rows.filter(row => row.trim() !== '').at(-1);
	expect(last).toContain('push-1: stopped. What was sent is kept; the same command continues.');
	const quick = start('upload', '--lake', lake, folder);
	expect((await quick.untilExit()).code).toBe(0);
	const rows = (await quick.settled()).rows.filter(row => row.trim() !== '').map(row => row.trimEnd());
	expect(rows).toEqual([
		expect.stringMatching(/^push-1: 6 files, 4\.0 MiB sent in \d+ blobs?, .* needed no sending$/),
		'push-1: 2 episodes, 120 frames',
	]);
});
