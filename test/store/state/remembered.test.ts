import {mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {createQueryClient} from '../../../source/store/queries/query-client.ts';
import {rememberedOf} from '../support.ts';

let folder: string;

beforeEach(async () => {
	const home = await mkdtemp(path.join(tmpdir(), 'lakescope-remembered-'));
	vi.stubEnv('XDG_STATE_HOME', home);
	folder = path.join(home, 'lakescope');
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await rm(home, {recursive: true, force: true});
	});
});

const told: string[] = [];

function queries() {
	const client = createQueryClient();
	onTestFinished(() => client.clear());
	return client;
}

const of = (lake: string) => rememberedOf(lake, sentence => told.push(sentence));

const file = async () => {
	const [name = ''] = await readdir(folder);
	return path.join(folder, name);
};

test('the next run knows what was launched, followed and dismissed; another lake’s does not', async () => {
	const first = of('https://lake.example a');
	first.launched({jobId: 'j1', name: 'act on cups', filter: 'task:cups', dataset: 'local/cups'});
	first.operationFollowed({operationId: 'o1', since: 5, byHand: true, name: 'cups'});
	first.jobFollowed({jobId: 'j2', byHand: true});
	first.dismissed({repoId: 'r1', through: 9000});
	first.looked({lookedAt: 77, episodes: 40});
	expect(await first.keep()).toBeUndefined();
	expect((await stat(await file())).mode & 0o777).toBe(0o600);

	const next = of('https://lake.example a');
	await next.recall(queries());
	expect(next.launchOf('j1')).toMatchObject({name: 'act on cups', filter: 'task:cups'});
	expect(next.state.getState()).toEqual(first.state.getState());
	const other = of('https://lake.example b');
	await other.recall(queries());
	expect(other.state.getState().launches).toEqual([]);
});

test('two explorers of one lake keep what each of them remembers, and what neither knows stays', async () => {
	const first = of('a lake');
	first.launched({jobId: 'j1'});
	await first.keep();
	const written = JSON.parse(await readFile(await file(), 'utf8'));
	await writeFile(await file(), JSON.stringify({...written, fromTheFuture: {kept: true}}));

	const second = of('a lake');
	second.launched({jobId: 'j2'});
	await second.keep();
	first.launched({jobId: 'j3'});
	await first.keep();
	const kept = JSON.parse(await readFile(await file(), 'utf8'));
	expect(kept.launches.map(({jobId}: {jobId: string}) => jobId)).toEqual(['j2', 'j1', 'j3']);
	expect(kept.fromTheFuture).toEqual({kept: true});
});

test('an operation that nobody knows any more is forgotten for good', async () => {
	const first = of('a lake');
	first.operationFollowed({operationId: 'o1', since: 5, byHand: false});
	await first.keep();
	first.operationForgotten('o1');
	await first.keep();
	const next = of('a lake');
	await next.recall(queries());
	expect(next.state.getState().operations).toEqual([]);
});

test('no more than a bounded number is kept, the newest', async () => {
	const first = of('a lake');
	for (let at = 0; at < 700; at++) first.launched({jobId: `j${at}`});
	await first.keep();
	const next = of('a lake');
	await next.recall(queries());
	expect(next.state.getState().launches).toHaveLength(500);
	expect(next.launchOf('j699')).toBeDefined();
	expect(next.launchOf('j0')).toBeUndefined();
});

test('a file that is broken is set aside and told, and the run begins anew', async () => {
	const first = of('a lake');
	first.launched({jobId: 'j1'});
	await first.keep();
	const broken = await file();
	await writeFile(broken, '{"lake": "a lake", "launches": 7}');
	told.length = 0;
	const next = of('a lake');
	await next.recall(queries());
	expect(told).toEqual([expect.stringContaining('is set aside')]);
	next.launched({jobId: 'j2'});
	expect(await next.keep()).toBeUndefined();
	expect(await readFile(`${broken}.broken`, 'utf8')).toContain('"launches": 7');
});

test('what cannot be written is said', async () => {
	await writeFile(folder, 'in the way');
	const first = of('a lake');
	first.launched({jobId: 'j1'});
	expect(await first.keep()).toContain('cannot be written');
});
