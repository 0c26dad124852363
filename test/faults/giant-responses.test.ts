import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {gzipSync} from 'node:zlib';
import {beforeAll, expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import type {Fault} from '../hosted-service/faults.ts';
import {explore, isFresh} from '../pty/support.ts';
import {hosted} from '../support/hosted.ts';
import type {Screen} from '../support/pty.ts';
import {patience, times} from './support/soak.ts';

const home = programHome();
const MiB = 1024 * 1024;

const rounds = times(2, 30);

/** How much memory of a program is resident now, or was at its peak, in MiB. */
function memoryMiB(pid: number, what: 'VmRSS' | 'VmHWM'): number {
	return (
		Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
	);
}

/** As many bytes as the reader takes, up to so many; tells how many those were. */
async function pour(response: ServerResponse, most: number, unit: Buffer): Promise<number> {
	let sent = 0;
	while (sent < most && !response.destroyed) {
		sent += unit.length;
		if (response.write(unit)) continue;
		const room = new AbortController();
		const {signal} = room;
		await Promise.race([once(response, 'drain', {signal}), once(response, 'close', {signal})]);
		room.abort();
	}
	response.end();
	return sent;
}

/** A body of 1 GiB, in JSON without an end. */
function endless(told: (bytes: number) => void, announced = true): Fault {
	const unit = Buffer.from(`"${'x'.repeat(MiB - 3)}",`);
	return async ({response}) => {
		response.writeHead(200, {
			'content-type': 'application/json',
			...(announced && {'content-length': 1024 * MiB}),
		});
		response.write('[');
		told(await pour(response, 1024 * MiB - 1, unit));
	};
}

/** 200 kB that inflate to 200 MiB. */
let bomb: Buffer;
const inflating: Fault = ({response}) => {
	response.writeHead(200, {
		'content-type': 'application/json',
		'content-encoding': 'gzip',
		'content-length': bomb.length,
	});
	response.end(bomb);
};

beforeAll(() => {
	bomb = gzipSync(Buffer.alloc(200 * MiB, ' '));
});

test.each([
	['a body of 1 GiB', (told: (bytes: number) => void) => endless(told)],
	[
		'a body of 1 GiB that does not say how long it is',
		(told: (bytes: number) => void) => endless(told, false),
	],
	['200 kB that inflate to 200 MiB', () => inflating],
])(
	'%s: refused, the program grows by 128 MiB at most, and keys are answered meanwhile',
	async (_, giant) => {
		expect(bomb.length).toBeLessThan(210_000);
		const service = await hosted({episodes: 60});
		const explorer = explore(home, [], {cols: 120, rows: 30, service});
		await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
		explorer.press('3');
		await explorer.untilText('● running');
		explorer.press('1');
		const before = memoryMiB(explorer.pid, 'VmRSS');
		let poured = 0;
		service.setFault(
			'*',
			giant(bytes => {
				poured = Math.max(poured, bytes);
			}),
		);
		let slowest = 0;
		const answers = async (key: string, isAnswered: (screen: Screen) => boolean) => {
			const pressedAt = performance.now();
			explorer.press(key, 'r');
			await explorer.until(isAnswered, `the answer to ${key}`);
			slowest = Math.max(slowest, performance.now() - pressedAt);
		};
		for (let round = 0; round < rounds; round++) {
			await answers('3', ({text}) => text.includes('● running'));
			await answers('2', ({text}) => text.includes('upload'));
			await answers('1', ({text}) => text.includes('▢'));
		}
		explorer.press('r');
		await explorer.until(
			({text}) => /stale since/.test(text) && text.includes('body that cannot be read'),
			'the refusal',
		);
		const grown = memoryMiB(explorer.pid, 'VmHWM') - before;
		expect(grown).toBeLessThanOrEqual(128);
		// It was let go of long before its end.
		expect(poured).toBeLessThan(128 * MiB);
		// Some tens of milliseconds as a rule.
		expect(slowest).toBeLessThan(5000);
		explorer.press('q');
		expect((await explorer.untilExit()).code).toBe(0);
	},
	patience(rounds, 6000),
);
