import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {globSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {type ProgramHome, programHome} from '../commands/support/program.ts';
import {explore, isFresh} from '../pty/support.ts';

/** Homes as earlier versions left them; README.md says how each was made. */
const versions = ['home-2026-11'];

const fileNames = {
	views: (home: ProgramHome) => home.at('data', 'lakescope', 'views'),
	lake: (home: ProgramHome) => home.at('data', 'lakescope', 'lake'),
};

/**
 * Unpacks a home. What is remembered of a lake is found by a hash of the lake's path (sha256, 16 digits), and the home lies elsewhere
 * now, so these files get the names that they would have had here.
 */
function unpack(home: ProgramHome, version: string): void {
	execFileSync('tar', ['-xzf', path.join(import.meta.dirname, `${version}.tar.gz`), '-C', home.root]);
	mkdirSync(home.at('run'), {recursive: true, mode: 0o700});
	const lake = fileNames.lake(home);
	for (const file of globSync(home.at('{state,cache}', 'lakescope', '*-*.json'))) {
		const content = readFileSync(file, 'utf8');
		const before = (JSON.parse(content) as {lake: string}).lake;
		const named = file.replace(
			/[0-9a-f]{16}\.json$/,
			`${createHash('sha256').update(lake).digest('hex').slice(0, 16)}.json`,
		);
		writeFileSync(file, content.replaceAll(before, lake));
		renameSync(file, named);
	}
}

const read = <Content>(home: ProgramHome, name: string): Content =>
	JSON.parse(readFileSync(home.at(name), 'utf8')) as Content;

for (const version of versions) {
	const home = programHome();
	beforeAll(() => unpack(home, version));

	test(`${version}: the filters that were exported find as many episodes as they did`, async () => {
		const filters = Object.entries(read<Record<string, number>>(home, 'filters.json'));
		expect(filters.length).toBeGreaterThan(7);
		for (const [filter, total] of filters) {
			const {stdout, stderr} = await home.run(['episodes', filter, '--json']);
			expect(stderr).toBe('');
			expect([filter, (JSON.parse(stdout) as {total: number}).total]).toEqual([filter, total]);
		}
	});

	test(`${version}: exported episodes are the ones an export writes now, with every column there was`, async () => {
		const before = read<{episodes: readonly Record<string, unknown>[]}>(home, 'episodes.json').episodes;
		const {stdout} = await home.run(['episodes', 'task:fold', '--json']);
		const now = (JSON.parse(stdout) as {episodes: readonly Record<string, unknown>[]}).episodes;
		expect(now).toMatchObject(before);
		const header = (csv: string) => (csv.split('\n')[0] ?? '').split(',');
		const csv = await home.run(['episodes', 'task:fold', '--csv']);
		expect(header(csv.stdout)).toEqual(
			expect.arrayContaining(header(readFileSync(home.at('episodes.csv'), 'utf8'))),
		);
	});

	test.each(['datasets', 'jobs', 'models', 'projects', 'uploads'])(
		`${version}: the lake has its %s`,
		async kind => {
			const {stdout, stderr} = await home.run([kind, '--json']);
			expect(stderr).toBe('');
			expect(withoutMoments(JSON.parse(stdout))).toMatchObject(withoutMoments(read(home, `${kind}.json`)));
		},
	);

	test(`${version}: the configuration is read without a complaint`, async () => {
		const {stdout} = await home.run(['doctor', '--json']);
		const text = JSON.stringify(JSON.parse(stdout));
		expect(text).toContain('config.json');
		expect(text).not.toMatch(/unknown|is not known|cannot be read|is no /i);
	});

	test(`${version}: a dataset that moved is ingested again and keeps its episodes, ids and marks`, async () => {
		// Marks of the program's own are renewed with the score that they rest on; those of a person never are.
		const byProgram = /(?:auto_accepted|unreviewed)$/;
		const ids = async () => {
			const {stdout} = await home.run(['episodes', 'dataset:cups', '--json']);
			const {episodes} = JSON.parse(stdout) as {
				episodes: readonly {episode_id: string; review_state: string}[];
			};
			return episodes.map(({episode_id, review_state}) =>
				`${episode_id} ${review_state}`.replace(byProgram, 'by the program'),
			);
		};
		const before = await ids();
		expect(before).toHaveLength(11);
		expect(before.some(each => each.endsWith(' human_audited'))).toBe(true);
		expect(await home.run(['ingest', home.at('recordings', 'cups')])).toMatchObject({code: 0});
		expect(await ids()).toEqual(before);
	});

	test(`${version}: the explorer opens at the last place, with views, keys, marks and what was launched from here`, async () => {
		const explorer = explore(home, [], {cols: 120, rows: 40});
		await explorer.until(
			screen => isFresh(screen) && screen.rows[1]?.startsWith(' / task:fold ') === true,
			'the filter of the last run',
		);
		expect(explorer.screen().text).toContain('here:');
		explorer.press('ctrl+n');
		await explorer.until(({rows}) => / of 26/.test(rows[1] ?? ''), 'its rows');
		explorer.press('V');
		await explorer.until(
			({text}) => /folds +task:fold/.test(text) && /worst +task:fold/.test(text),
			'both saved views',
		);
		explorer.press('esc');
		await explorer.until(({text}) => !text.includes('Saved views'), 'the list closed');
		explorer.press('3');
		await explorer.until(({text}) => /act on folding/.test(text) && text.includes('completed'), 'the job');
		explorer.press('enter');
		await explorer.until(({text}) => /filter +task:fold/.test(text), 'the filter that it was launched on');
		explorer.press('q');
		expect((await explorer.untilExit()).code).toBe(0);
	});

	test(`${version}: links that were copied lead to what they did`, async () => {
		const job = read<{items: readonly {job_id: string}[]}>(home, 'jobs.json').items[0]?.job_id;
		for (const [link, shown] of [
			[`job:${job}`, /act on folding/],
			['episode:cups/10', /cups · 10/],
		] as const) {
			const explorer = explore(home, ['open', link], {cols: 120, rows: 40});
			await explorer.until(({text}) => shown.test(text), link);
			explorer.press('q');
			expect((await explorer.untilExit()).code).toBe(0);
		}
	});
}

/** Folders and moments differ with where and when a home is opened; everything else is as it was. */
function withoutMoments(value: unknown): object {
	return JSON.parse(
		JSON.stringify(value, (key, each: unknown) =>
			/_at$|folder|end_cursor|path$|serverTime|server_time|as_of/.test(key) ? undefined : each,
		),
	) as object;
}
