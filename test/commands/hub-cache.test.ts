import {existsSync} from 'node:fs';
import {cp, mkdir, readdir, readFile, readlink, rm, symlink, unlink, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test, vi} from 'vitest';
import {type CachedRevision, cacheRevision, commitOf, setRefs} from '../support/hub-cache.ts';
import {dataFile, writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {programHome} from './support/program.ts';

vi.setConfig({testTimeout: 300_000});

const home = programHome();
const hub = home.at('lerobot', 'hub');
const camera = 'observation.images.front';

async function dataset(name: string, episodes: number): Promise<string> {
	const folder = home.at('made', name);
	await writeLerobotDataset(folder, {
		episodes: Array.from({length: episodes}, () => ({frames: 30})),
		cameras: [camera],
		episodesPerFile: 1,
	});
	return folder;
}

async function cached(name: string, episodes = 2): Promise<CachedRevision> {
	return cacheRevision(hub, `lab/${name}`, await dataset(name, episodes), {word: name});
}

const short = (commit: string) => commit.slice(0, 7);

async function itemOf(lake: string, name: string) {
	const {stdout} = await home.run(['datasets', '--lake', lake, '--json']);
	const {items} = JSON.parse(stdout) as {items: {path: string; metadata: Record<string, unknown>}[]};
	return items.find(item => item.path === `local/${name}`)?.metadata;
}

test('a dataset that LeRobot downloaded is ingested by its name, and again at a new revision', async () => {
	const first = await cacheRevision(hub, 'lab/towels', await dataset('towels', 2), {word: 'one'});
	const lake = home.at('lake-towels');
	const taken = await home.run(['ingest', '--lake', lake, 'lab/towels']);
	expect(taken).toMatchObject({code: 0, stdout: 'lab--towels: 2 episodes, 60 frames\n'});
	expect(taken.stderr).toContain(
		`lab/towels: revision ${short(first.commit)} (main) of the Hub cache, named lab--towels.`,
	);
	expect(await itemOf(lake, 'lab--towels')).toMatchObject({
		folder: first.snapshot,
		hub_repo_id: 'lab/towels',
		hub_revision: first.commit,
		problem_count: 0,
	});
	const second = await cacheRevision(hub, 'lab/towels', await dataset('towels-more', 3), {word: 'two'});
	const again = await home.run(['ingest', '--lake', lake, 'lab/towels']);
	expect(again.stdout).toMatch(/^lab--towels: 3 episodes, 90 frames, as generation 2/);
	expect(await itemOf(lake, 'lab--towels')).toMatchObject({
		folder: second.snapshot,
		hub_revision: second.commit,
	});
});

test('another revision may be asked for, and the ref of the format’s version goes before main', async () => {
	const first = await cacheRevision(hub, 'lab/bowls', await dataset('bowls', 2), {
		word: 'one',
		refs: ['v3.0'],
	});
	const second = await cacheRevision(hub, 'lab/bowls', await dataset('bowls-more', 3), {word: 'two'});
	const lake = home.at('lake-bowls');
	const newer = await home.run(['ingest', '--lake', lake, `lab/bowls@${second.commit.slice(0, 8)}`]);
	expect(newer).toMatchObject({code: 0, stdout: 'lab--bowls: 3 episodes, 90 frames\n'});
	const older = await home.run(['ingest', '--lake', lake, 'lab/bowls']);
	expect(older.stdout).toMatch(/^lab--bowls: 2 episodes, 60 frames, as generation 2/);
	expect(older.stderr).toContain(`lab/bowls: revision ${short(first.commit)} (v3.0) of the Hub cache`);
	// Nothing was written into the cache.
	expect((await readdir(first.repository)).sort()).toEqual(['blobs', 'refs', 'snapshots']);
	const info = path.join(first.snapshot, 'meta/info.json');
	expect(await readlink(info)).toMatch(/^(\.\.\/){3}blobs\/[0-9a-f]{64}$/);
});

test('a snapshot is uploaded with what its links lead to', async () => {
	const {snapshot} = await cached('cups');
	const lake = home.at('lake-cups');
	const sent = await home.run(['upload', '--lake', lake, 'lab/cups']);
	expect(sent).toMatchObject({code: 0, stdout: 'lab--cups: 2 episodes, 60 frames\n'});
	const folder = String((await itemOf(lake, 'lab--cups'))?.folder);
	expect(folder.startsWith(lake)).toBe(true);
	expect(await readFile(path.join(folder, dataFile(0)))).toEqual(
		await readFile(path.join(snapshot, dataFile(0))),
	);
});

test('an empty lake names what LeRobot and the Hub’s tools keep, each once', async () => {
	const kept = home.at('kept');
	const made = await dataset('shelf', 1);
	await cacheRevision(path.join(kept, 'lerobot/hub'), 'lab/shelf', made, {word: 'shelf'});
	await cacheRevision(path.join(kept, 'lerobot/hub'), 'lab/hidden', made, {word: 'hidden'});
	await cacheRevision(path.join(kept, 'common'), 'lab/shelf', made, {word: 'shelf'});
	await cacheRevision(path.join(kept, 'common'), 'lab/annotated', made, {word: 'annotated'});
	// LeRobot loads the plain folder of a name before its cache, unless an older download left it.
	await cp(made, path.join(kept, 'lerobot/lab/hidden'), {recursive: true});
	await cp(made, path.join(kept, 'lerobot/lab/shelf'), {recursive: true});
	await mkdir(path.join(kept, 'lerobot/lab/shelf/.cache/huggingface/download'), {recursive: true});
	const env = {
		HF_LEROBOT_HOME: '~/kept/lerobot',
		HF_HUB_CACHE: '~/kept/common',
		LAKESCOPE_LAKE: home.at('lake-offer'),
	};
	const {stdout} = await home.run([], env);
	expect(stdout).toContain(
		[
			'LeRobot keeps 3 datasets on this machine:',
			`  lab/shelf (Hub cache, ${short(commitOf('shelf'))})`,
			'  lab/hidden',
			`  lab/annotated (Hub cache, ${short(commitOf('annotated'))})`,
			'Ingest them with: lakescope ingest --lake ~/lake-offer ~/kept/lerobot ~/kept/common',
		].join('\n'),
	);
	const taken = await home.run(['ingest', 'lab/annotated', 'lab/hidden'], env);
	expect(taken.stdout).toBe('lab--annotated: 1 episode, 30 frames\nhidden: 1 episode, 30 frames\n');
});

test('links out of a snapshot, and loops of links, are not followed and said', async () => {
	const {snapshot} = await cached('spoons', 4);
	const secret = home.at('secret.parquet');
	await cp(path.join(snapshot, dataFile(0)), secret, {dereference: true});
	await Promise.all([0, 1].map(file => unlink(path.join(snapshot, dataFile(file)))));
	await symlink(secret, path.join(snapshot, dataFile(0)));
	await symlink(path.basename(dataFile(1)), path.join(snapshot, dataFile(1)));
	const lake = home.at('lake-spoons');
	const {code, stdout, stderr} = await home.run(['ingest', '--lake', lake, 'lab/spoons']);
	expect([code, stdout]).toEqual([0, 'lab--spoons: 2 episodes, 60 frames\n']);
	expect(stderr).toContain(`${dataFile(0)} leads out of the dataset, where nothing is read`);
	expect(stderr).toContain(`${dataFile(1)} is a link that leads back to itself`);
	const sent = await home.run(['upload', '--lake', home.at('lake-spoons-sent'), snapshot]);
	expect(sent.code).toBe(1);
	expect(sent.stderr).toContain(`${dataFile(0)} is a link that leaves the dataset`);
	await Promise.all([2, 3].map(file => unlink(path.join(snapshot, dataFile(file)))));
	await rm(path.join(snapshot, 'videos'), {recursive: true, force: true});
	const none = await home.run(['ingest', '--lake', home.at('lake-no-spoons'), 'lab/spoons']);
	expect(none.code).toBe(1);
	expect(none.stderr.trimEnd().split('\n').at(-1)).toMatch(
		/None of its 4 episodes is there\. \S+ leads out of the dataset, where nothing is read/,
	);
	const info = path.join(snapshot, 'meta/info.json');
	await unlink(info);
	await symlink('info.json', info);
	for (const command of ['ingest', 'check']) {
		const looped = await home.run([command, '--lake', home.at('lake-no-spoons'), snapshot]);
		expect(looped.code).toBe(2);
		expect(looped.stderr).toMatch(/^lakescope: meta\/info\.json in \S+ is a link that leads back to itself/);
	}
});

test('a blob that is missing, and a snapshot half downloaded, are said with the line that downloads them', async () => {
	const {snapshot, repository} = await cached('forks', 3);
	const link = path.join(snapshot, dataFile(1));
	await rm(path.resolve(path.dirname(link), await readlink(link)));
	await unlink(path.join(snapshot, dataFile(2)));
	const lake = home.at('lake-forks');
	const {code, stdout, stderr} = await home.run(['ingest', '--lake', lake, 'lab/forks']);
	expect([code, stdout]).toEqual([0, 'lab--forks: 1 episode, 30 frames\n']);
	expect(stderr).toContain(
		`${dataFile(1)} is a link to a file that is not there, so that episode 1 is left out`,
	);
	expect(stderr).toContain(`${dataFile(2)} is missing, so that episode 2 is left out`);
	expect(stderr).toContain(
		`Download the rest: hf download lab/forks --repo-type dataset --revision ${commitOf('forks')} --cache-dir ${hub}`,
	);
	const checked = await home.run(['check', '--lake', lake, 'lab/forks']);
	expect(checked.stdout).toContain(`${dataFile(1)} is a link to a blob that is missing: download it again.`);
	await rm(path.join(snapshot, 'meta'), {recursive: true});
	const bare = await home.run(['ingest', '--lake', lake, repository]);
	expect(bare.code).toBe(2);
	expect(bare.stderr).toContain('of lab/forks has no meta/info.json');
});

test('refs that name nothing are said: another snapshot is taken, or what to do is said', async () => {
	const {repository, commit} = await cached('plates');
	const lake = home.at('lake-plates');
	await setRefs(repository, ['main'], commitOf('elsewhere'));
	const {code, stderr} = await home.run(['ingest', '--lake', lake, 'lab/plates']);
	expect(code).toBe(0);
	expect(stderr).toContain(
		`refs/main of lab/plates names ${short(commitOf('elsewhere'))}, which was not downloaded: taken is ${short(commit)}`,
	);
	await writeFile(path.join(repository, 'refs/main'), '../../../etc');
	const odd = await home.run(['ingest', '--lake', lake, repository]);
	expect(odd.stderr).toContain('refs/main of lab/plates names no commit: taken is');
	const unknown = await home.run(['ingest', '--lake', lake, 'lab/plates@dev']);
	expect(unknown.code).toBe(2);
	expect(unknown.stderr).toContain(
		`lab/plates has no revision dev in ${repository}. There is ${short(commit)}.`,
	);
	await rm(path.join(repository, 'snapshots'), {recursive: true});
	const none = await home.run(['ingest', '--lake', lake, 'lab/plates']);
	expect(none.code).toBe(2);
	expect(none.stderr).toContain('hf download lab/plates --repo-type dataset --cache-dir');
	const absent = await home.run(['ingest', '--lake', lake, 'lab/nothing']);
	expect(absent.stderr).toContain(
		'There is no folder lab/nothing, and no dataset of that name under ~/lerobot or ~/cache/huggingface/hub.',
	);
});

const real = [
	['g1-v21', 'unitree/g1', 'unitree--g1'],
	['record-test', 'lab/record-test', 'lab--record-test'],
] as const;

test.for(real)(
	'%s, a real dataset, is taken from a Hub cache',
	{timeout: 120_000},
	async ([folder, repoId, name], {skip}) => {
		const source = path.join(process.env.LAKESCOPE_REAL_DATASETS ?? '', folder);
		skip(
			!existsSync(path.join(source, 'meta/info.json')),
			'LAKESCOPE_REAL_DATASETS names no folder that holds it',
		);
		await cacheRevision(hub, repoId, source, {word: folder});
		const lake = home.at('lake-real');
		const {code, stdout} = await home.run(['ingest', '--lake', lake, repoId]);
		expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${name}: \\d+ episodes`))]);
	},
);
