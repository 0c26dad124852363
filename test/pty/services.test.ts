import {expect, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {delay, html, refused, silence} from '../hosted-service/faults.ts';
import {hosted} from '../support/hosted.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const route = 'POST /v1/datasets/explore';

test('a service that answers HTML is reported as such, and its lake shows once it recovers', async () => {
	const service = await hosted({episodes: 300, faults: {'*': html()}});
	const explorer = explore(home, [], {service});
	const screen = await explorer.untilText('HTML');
	expect(screen.rows[0]).toContain('no answer');
	expect(screen.text).toContain('r retries now');
	service.setFault('*');
	explorer.press('r');
	await explorer.until(isFresh, 'the lake');
});

test('a service that never answers leaves the explorer alive', async () => {
	const service = await hosted({episodes: 300, faults: {'*': silence}});
	const explorer = explore(home, [], {service});
	await explorer.untilText('Loading the lake.');
	explorer.press('?');
	await explorer.untilText('━ Help ━');
	explorer.press('esc');
	await explorer.until(({text}) => !text.includes('Help'), 'the help gone');
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
});

test('where nothing listens, the address and the way out show', async () => {
	const service = await hosted({episodes: 300});
	const {url, key} = service;
	await service.close();
	const explorer = explore(home, [], {service: {url, key}});
	const screen = await explorer.untilText('Nothing listens at');
	expect(screen.text).toContain(url);
	expect(screen.rows[0]).toContain('offline');
});

test('a refused key is reported, not retried, and never shown', async () => {
	const {url} = await hosted({episodes: 300});
	const explorer = explore(home, [], {service: {url, key: 'a-wrong-key'}});
	const screen = await explorer.untilText('refused the key');
	expect(screen.text).toContain('LAKESCOPE_API_KEY');
	expect(screen.text).toContain('r retries');
	expect(explorer.output()).not.toContain('a-wrong-key');
});

test('loaded data stays when the service fails, with the time and the reason', async () => {
	const service = await hosted({episodes: 300});
	const explorer = explore(home, [], {cols: 120, rows: 30, service});
	await explorer.until(isFresh, 'the lake');
	service.setFault(route, refused(500, 'the lake is being repaired'));
	explorer.press('r');
	const screen = await explorer.until(({rows}) => /stale since \d\d:\d\d/.test(rows[0] ?? ''), 'stale');
	expect(screen.text).toContain('fold-lab1.00');
	await explorer.untilText('the lake is being repaired');
});

test('an error sentence shows to its end, however narrow the terminal', async () => {
	const service = await hosted({episodes: 300});
	const explorer = explore(home, [], {cols: 60, rows: 20, service});
	await explorer.until(isFresh, 'the lake');
	const detail = 'this key was withdrawn on Monday by whoever looks after the lake';
	service.setFault(route, refused(401, detail));
	explorer.press('r');
	const screen = await explorer.until(
		({text}) =>
			text.replaceAll(/\s+/g, ' ').includes(`(401: ${detail}). Set another one as LAKESCOPE_API_KEY.`),
		'all of the sentence',
	);
	expect(screen.rows).toHaveLength(20);
	expect(screen.rows[0]).toMatch(/^ lakescope /);
});

test('a slow service shows what the last run read, as stale, until it has answered', async () => {
	const service = await hosted({episodes: 300});
	const first = explore(home, [], {service});
	await first.until(isFresh, 'the lake');
	first.press('q');
	await first.untilExit();
	service.setFault(route, delay(2500));
	const second = explore(home, [], {service});
	const stale = await second.until(({rows}) => rows[0]?.includes('stale since'), 'the page of the last run');
	expect(stale.text).toContain('fold-lab1.00');
	await second.until(isFresh, 'the page of this run');
});
