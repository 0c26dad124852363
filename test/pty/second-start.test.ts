import {readdir, readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {programHome} from '../commands/support/program.ts';
import {startHostedService} from '../hosted-service/server.ts';
import {startFaultProxy} from '../support/fault-proxy.ts';
import type {PtyProgram} from '../support/pty.ts';
import {explore, isFresh} from './support.ts';

const home = programHome();
const operation = '00000000-0000-4000-8000-000000000001';
const look = {cols: 120, rows: 30};

async function quit(explorer: PtyProgram): Promise<void> {
	explorer.press('q');
	expect((await explorer.untilExit()).code).toBe(0);
}

test('a second start with the service away shows the last state of each view, its age, and comes alive by itself', async () => {
	const service = await startHostedService({episodes: 60});
	onTestFinished(() => service.close());
	const proxy = await startFaultProxy(service.url);
	onTestFinished(() => proxy.close());
	const reached = {...look, service: {url: proxy.url, key: service.key}};
	service.state.syncs.set(operation, {
		phase: 'preparing',
		done: false,
		progress_json: '{"done":3,"total":9}',
	});

	const first = explore(home, [], reached);
	await first.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
	first.press('2', 'f');
	await first.untilText('operation id:');
	first.press(...operation, 'enter');
	await first.untilText('preparing');
	first.press('3');
	await first.until(
		({rows, text}) => text.includes('● running') && /Jobs.*1 of \d/.test(rows[1] ?? ''),
		'the jobs with their states',
	);
	first.press('4');
	const listed = await first.until(
		({rows}) => /Datasets.*1 of \d/.test(rows[1] ?? '') && rows[2]?.startsWith('▸'),
		'the datasets',
	);
	first.press('3');
	await first.until(({rows, text}) => rows[1]?.includes('Jobs') && text.includes('● running'), 'the jobs');
	await quit(first);

	proxy.setFault({refuse: true});
	service.state.syncs.set(operation, {phase: 'finalized', done: true, generation: 3, episode_count: 4});
	service.setEpisodes(67);
	const second = explore(home, [], reached);
	// The view that was left is the one that comes back.
	const jobs = await second.until(
		({rows, text}) =>
			rows[0]?.includes('○ offline, as of') &&
			/as of \d\d:\d\d/.test(rows[1] ?? '') &&
			text.includes('● running'),
		'the jobs of the last run, offline',
	);
	expect(jobs.text).toMatch(/next try in \d+ s|trying/);
	second.press('2');
	await second.until(
		({rows, text}) => rows[0]?.includes('○ offline') && text.includes('preparing'),
		'the upload of the last run',
	);
	second.press('4');
	await second.until(
		({rows}) => rows[0]?.includes('○ offline') && rows[2] === listed.rows[2],
		'the datasets of the last run',
	);
	second.press('1');
	await second.until(
		({rows}) => rows[0]?.includes('○ offline') && /of 60/.test(rows[1] ?? ''),
		'the episodes of the last run',
	);

	proxy.setFault({});
	await second.until(
		({rows}) => rows[0]?.includes('● live') && /of 67/.test(rows[1] ?? ''),
		'the lake, without a key pressed',
	);
	second.press('2');
	await second.untilText('generation 3, 4 episodes');
	await quit(second);
}, 120_000);

test('a damaged cache is set aside with a message', async () => {
	const service = await startHostedService({episodes: 20});
	onTestFinished(() => service.close());
	const folder = path.join(home.env.XDG_STATE_HOME ?? '', 'lakescope');
	const first = explore(home, [], {...look, service});
	await first.until(screen => isFresh(screen) && screen.text.includes('● live'), 'the lake, live');
	first.press('3', 'f');
	await first.untilText('job id:');
	first.press(...operation, 'enter');
	await quit(first);
	const files = (await readdir(folder)).filter(name => name.startsWith('remembered-'));
	const changed = await Promise.all(
		files.map(async name => [name, await readFile(path.join(folder, name), 'utf8')] as const),
	);
	const [file = ''] =
		changed.find(([, text]) => text.includes(operation) && text.includes(service.url)) ?? [];
	expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600);
	await writeFile(path.join(folder, file), '{"lake":');

	const second = explore(home, [], {...look, service});
	await second.until(screen => /is set aside as/.test(screen.text.replaceAll(/\s+/g, ' ')), 'the sentence');
	expect(await readFile(path.join(folder, `${file}.broken`), 'utf8')).toBe('{"lake":');
	await quit(second);
}, 90_000);
