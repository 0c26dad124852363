import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {explore, isFresh} from '../pty/support.ts';
import {hosted} from '../support/hosted.ts';
import {isSoak} from './support/soak.ts';

const home = programHome();
const first = 10_000;
const all = 1_000_000;

const residentMebibytes = (pid: number) =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** An event that names a thing that no event has named before. */
function eventText(n: number, name: string): string {
	const id = idOf(n);
	const named = [{operation_id: id}, {job_id: id}, {dataset_id: id, repo_id: id}, {id}][n % 4];
	const data = {...named, status: 'running', dataset_name: `cups-${n}`, detail: 'x'.repeat(100)};
	return `event: ${name}\nid: ${n}\ndata: ${JSON.stringify(data)}\n\n`;
}

test.runIf(isSoak)(
	`${all.toLocaleString('en')} events with distinct ids need no more than 1.3 times the memory of the first ${first.toLocaleString('en')}`,
	async () => {
		const service = await hosted({episodes: 200});
		const opened = Promise.withResolvers<ServerResponse>();
		service.setFault('GET /v1/events', ({response}) => {
			response.writeHead(200, {'content-type': 'text/event-stream'}).flushHeaders();
			opened.resolve(response);
			return Promise.resolve();
		});
		const explorer = explore(home, [], {cols: 120, rows: 30, service});
		await explorer.until(isFresh, 'the lake');
		const stream = await opened.promise;
		explorer.press('7');
		let sent = 0;
		/** Sends events up to this many, no faster than they are read, and waits until the last one shows. */
		const sendUpTo = async (count: number) => {
			for (; sent < count; sent++) {
				const text = eventText(sent, sent === count - 1 ? `read-${count}` : 'pipeline');
				if (!stream.write(text)) await once(stream, 'drain');
			}
			await explorer.until(({text}) => text.includes(`read-${count}`), `event ${count}`);
			return residentMebibytes(explorer.pid);
		};
		const sizes: number[] = [];
		for (const count of [first, 100_000, 250_000, 500_000, 750_000, all]) sizes.push(await sendUpTo(count));
		console.info(`resident after 10,000 events and on to 1,000,000, MiB: ${sizes.map(Math.round).join(' ')}`);
		expect((sizes.at(-1) ?? 0) / (sizes[0] ?? 1)).toBeLessThanOrEqual(1.3);
		explorer.press('q');
		expect((await explorer.untilExit()).code).toBe(0);
	},
	1_200_000,
);
