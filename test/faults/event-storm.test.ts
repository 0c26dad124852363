import {setInterval as every} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {explore, isFresh, selectedRow} from '../pty/support.ts';
import {hosted} from '../support/hosted.ts';
import type {PtyProgram} from '../support/pty.ts';
import {isSoak, patience, times} from './support/soak.ts';

const home = programHome();

const seconds = times(3, 60);
const eventsPerSecond = 1000;
/** Ink draws no oftener. */
const framesPerSecond = 30;
const fetchesPerSecond = 4;
/** What the two views that are opened meanwhile ask for at once: the jobs' list and the statuses that show. */
const byHand = 8;

const ids = Array.from({length: 300}, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);

/** What the events name: jobs that are known, operations and datasets that are not, and nothing. */
function eventOf(service: HostedService, nth: number) {
	const jobs = [...service.state.jobs.keys()];
	const id = ids[nth % ids.length];
	const payloads = [
		{job_id: jobs[nth % jobs.length], status: 'running', phase: 'training', step: nth},
		{operation_id: id, phase: 'preparing', progress_json: `{"done": ${nth}}`},
		{dataset_id: id, status: 'finalized'},
		{job_id: id, status: 'running'},
		{note: 'nothing is named here'},
	];
	return {event: 'pipeline', id: String(nth), data: payloads[nth % payloads.length]};
}

/** Events at their rate, until told to stop. @returns how many there were, and for how long */
async function storm(
	service: HostedService,
	signal: AbortSignal,
): Promise<{events: number; seconds: number}> {
	const beganAt = performance.now();
	const elapsed = () => (performance.now() - beganAt) / 1000;
	let events = 0;
	try {
		for await (const _ of every(10, undefined, {signal})) {
			// A timer that came late is made up for.
			for (const due = elapsed() * eventsPerSecond; events < due; events++)
				service.state.events.publish(eventOf(service, events));
		}
	} catch {
		// Told to stop.
	}
	return {events, seconds: elapsed()};
}

/** How long a key takes until its row is the selected one on the screen, in milliseconds. */
async function keyMs(explorer: PtyProgram): Promise<number> {
	const before = selectedRow(explorer.screen());
	const key = /▸ +0 /.test(before ?? '') ? 'j' : 'k';
	const pressedAt = performance.now();
	explorer.press(key);
	await explorer.until(
		screen => selectedRow(screen) !== before && selectedRow(screen) !== undefined,
		`the answer to ${key}`,
	);
	return performance.now() - pressedAt;
}

const p95 = (values: readonly number[]) =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

/** Presses keys for so long. */
async function keysFor(explorer: PtyProgram, ms: number): Promise<number[]> {
	const taken: number[] = [];
	for (const beganAt = performance.now(); performance.now() - beganAt < ms; ) {
		taken.push(await keyMs(explorer));
		await new Promise(resolve => setTimeout(resolve, 20));
	}
	return taken;
}

test(
	`${eventsPerSecond} events a second for ${seconds} s: keys, fetches and bytes stay within their bounds`,
	async () => {
		const service = await hosted({episodes: 60});
		for (const id of ids) service.state.syncs.set(id, {phase: 'preparing', done: false});
		const explorer = explore(home, [], {cols: 120, rows: 30, service});
		await explorer.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
		const painted = explorer.output().length;
		explorer.press('ctrl+l');
		await explorer.until(
			screen => isFresh(screen) && explorer.output().length > painted + 1000,
			'the screen again',
		);
		const screenBytes = explorer.output().length - painted;
		const idle = await keysFor(explorer, seconds * 500);

		const frames = () => explorer.output().split('\u001b[?2026h').length - 1;
		const before = {requests: service.requests.length, bytes: explorer.output().length, frames: frames()};
		const over = new AbortController();
		const storming = storm(service, over.signal);
		const stormy = await keysFor(explorer, seconds * 500);
		explorer.press('7');
		await explorer.until(({text}) => text.includes('pipeline'), 'the events');
		await new Promise(resolve => setTimeout(resolve, seconds * 250));
		explorer.press('2');
		await explorer.until(({text}) => text.includes('preparing'), 'the uploads');
		await new Promise(resolve => setTimeout(resolve, seconds * 250));
		explorer.press('3');
		await explorer.until(({text}) => text.includes('running'), 'the jobs');
		await new Promise(resolve => setTimeout(resolve, seconds * 250));
		over.abort();
		const told = await storming;
		const taken = {
			requests: service.requests.length - before.requests,
			bytes: explorer.output().length - before.bytes,
			frames: frames() - before.frames,
		};
		expect(told.events).toBeGreaterThan(told.seconds * eventsPerSecond * 0.9);
		expect(taken.requests).toBeLessThanOrEqual(fetchesPerSecond * (told.seconds + 1) + byHand);
		expect(taken.frames).toBeLessThanOrEqual(framesPerSecond * (told.seconds + 1));
		expect(taken.bytes).toBeLessThanOrEqual(screenBytes * framesPerSecond * (told.seconds + 1));
		// A loaded machine is noisy: the bound itself is held in the soak.
		console.info(
			`keys: p95 ${p95(idle).toFixed(0)} ms idle (${idle.length}), ${p95(stormy).toFixed(0)} ms in the storm (${stormy.length});`,
			`${taken.requests} fetches, ${taken.frames} frames, ${taken.bytes} bytes in ${told.seconds.toFixed(1)} s`,
		);
		expect(p95(stormy)).toBeLessThanOrEqual(Math.max(3 * p95(idle), isSoak ? 0 : 500));
		explorer.press('q');
		expect((await explorer.untilExit()).code).toBe(0);
	},
	patience(seconds, 3000),
);
