import {readFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {isSoak, randomFrom} from '../faults/support/soak.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();

const minute = 60_000;
const sessionMinutes = 10;

const keys = [
	...['j', 'j', 'j', 'k', 'g', 'G', 'ctrl+d', 'ctrl+u', 'pagedown', 'pageup', 'tab', 'shift+tab', 'enter'],
	...['space', 'n', 'N', '<', '>', 'o', 'z', '[', ']', 'X', 'r', 'c', '?', '1', '1', '2', '3', '4', '7'],
];

function residentMebibytes(pid: number): number {
	return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

test.runIf(isSoak)(
	'ten minutes of random keys need no more memory than the first of them',
	{timeout: (sessionMinutes + 5) * minute},
	async () => {
		const service = await startHostedService({episodes: 200_000});
		onTestFinished(() => service.close());
		const explorer = explore(home, [], {cols: 200, rows: 50, service});
		await explorer.until(isFresh, 'the first episodes');
		const random = randomFrom(7);
		const sizes: number[] = [];
		const begun = Date.now();
		while (Date.now() - begun < sessionMinutes * minute) {
			const key = keys[Math.floor(random() * keys.length)] ?? 'j';
			if (random() < 0.1) explorer.send('\u001b[27u');
			explorer.press(key);
			// A pace, not something to wait for: somebody who types fast.
			await wait(60);
			if (Date.now() - begun > (sizes.length + 1) * (minute / 4)) sizes.push(residentMebibytes(explorer.pid));
		}
		const first = Math.max(...sizes.slice(0, 4));
		const last = sizes.slice(-4).toSorted((a, b) => a - b)[1] ?? Number.NaN;
		console.log(`resident, MiB, every 15 s: ${sizes.map(Math.round).join(' ')}`);
		expect(last / first).toBeLessThan(1.15);
		explorer.press('ctrl+c');
		expect(await explorer.untilExit()).toMatchObject({code: 0});
	},
);
