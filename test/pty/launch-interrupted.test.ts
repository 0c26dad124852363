import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import type {Fault} from '../hosted-service/faults.ts';
import type {HostedService} from '../hosted-service/server.ts';
import {hosted} from '../support/hosted.ts';
import type {PtyProgram} from '../support/pty.ts';
import {fillHosted} from './support/launch-form.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const create = 'POST /v1/finetune';
const size = {cols: 100, rows: 30};

/**
 * Fills the form in and sends it; the service gets it and gives no answer.
 *
 * @returns how often it got it
 */
async function sent(
	explorer: PtyProgram,
	service: HostedService,
	{isCarriedOut}: {isCarriedOut: boolean},
): Promise<() => number> {
	let received = 0;
	const silent: Fault = async ({settle}) => {
		if (isCarriedOut) await settle();
		received++;
		await new Promise(() => undefined);
	};
	await explorer.until(isFresh, 'the lake');
	await fillHosted(explorer, '2');
	service.setFault(create, silent);
	explorer.press('y');
	await explorer.until(({text}) => text.includes('Sending.'), 'that it is being sent');
	await expect.poll(() => received, {timeout: 20_000}).toBe(1);
	return () => received;
}

/** The files of the state folder that hold something to be settled. */
function ordersOnDisk(): readonly string[] {
	const folder = path.join(home.root, 'state', 'lakescope');
	return readdirSync(folder)
		.filter(name => name.startsWith('remembered-'))
		.map(name => path.join(folder, name))
		.filter(file => JSON.parse(readFileSync(file, 'utf8')).orders.length > 0);
}

test('a launch in flight when the explorer is killed is found by the next start, and is not sent again', async () => {
	const service = await hosted({episodes: 40});
	const before = new Set(service.state.jobs.keys());
	const first = explore(home, [], {...size, service});
	const received = await sent(first, service, {isCarriedOut: true});
	const made = [...service.state.jobs.keys()].filter(id => !before.has(id));
	expect(made).toHaveLength(1);
	first.signal('SIGKILL');
	await first.untilExit();
	expect(ordersOnDisk()).toHaveLength(1);

	const next = explore(home, [], {...size, service});
	await next.until(({text}) => text.includes(`It was launched: job:${made[0]}`), 'the job');
	next.press('3');
	await next.until(({text}) => text.includes('from here') || text.includes(made[0]?.slice(0, 8) ?? ''), 'it');
	next.press('q');
	expect((await next.untilExit()).code).toBe(0);
	expect(received()).toBe(1);
	expect(ordersOnDisk()).toEqual([]);
}, 90_000);

test('a launch that was quit before it was sent is reported as not made, and its draft is kept', async () => {
	const service = await hosted({episodes: 40});
	const first = explore(home, [], {...size, service});
	const received = await sent(first, service, {isCarriedOut: false});
	first.press('ctrl+c');
	await first.untilExit();
	expect(first.output()).toContain('the next start shows its outcome');
	const [file = ''] = ordersOnDisk();
	// As if three minutes had gone by: until then it may still come.
	const kept = JSON.parse(readFileSync(file, 'utf8'));
	kept.orders[0].at -= 180_000;
	writeFileSync(file, JSON.stringify(kept));

	const next = explore(home, [], {...size, service});
	await next.until(
		({text}) => /The job list does not have .*: it was not created/s.test(text),
		'that it was not',
	);
	next.type(':draft');
	await next.until(({text}) => /▸ ?resume the fine-tune draft/.test(text), 'the draft in the palette');
	next.press('enter');
	await next.until(({text}) => /▸ ✓ folding/.test(text), 'the form');
	next.press(...Array<string>(6).fill('pagedown'));
	await next.until(
		({text}) => text.includes('"hours": 2') && text.includes('y launches'),
		'the draft, whole, to be launched by hand',
	);
	next.press('ctrl+x', 'q');
	await next.untilExit();
	expect(received()).toBe(1);
	expect(ordersOnDisk()).toEqual([]);
}, 90_000);
