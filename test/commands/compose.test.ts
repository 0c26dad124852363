import {readdir, readFile, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {armDataset, siblings} from '../service/support/arm-dataset.ts';
import {processesOver} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {ended, programHome} from './support/program.ts';

const home = programHome();

let long: Promise<string> | undefined;

/** A lake with a dataset that takes a while to be composed anew, made once. */
function longLake(): Promise<string> {
	long ??= (async () => {
		const lake = home.at('lake-long');
		await smallDataset(home.at('parents'), {episodes: 120, frames: 400});
		await home.run(['ingest', '--lake', lake, home.at('parents')]);
		return lake;
	})();
	return long;
}

test('compose goes on with the next service where the one that it spoke to is killed', async () => {
	const lake = await longLake();
	const child = home.start(['compose', '--lake', lake, 'whole', 'frame_count>1']);
	const end = ended(child);
	let killed = false;
	child.stderr?.on('data', chunk => {
		if (killed || !/whole.*(?:queued|preparing)/.test(String(chunk))) return;
		killed = true;
		for (const pid of processesOver(`embedded-service.js\0--lake\0${lake}\0`)) process.kill(pid, 'SIGKILL');
	});
	const {code, stdout, stderr} = await end;
	expect(stderr).toContain('The embedded service stopped; another one continues.');
	expect([code, stdout]).toEqual([0, expect.stringMatching(/^whole: 120 episodes, 48,000 frames in \//)]);
});

test('^C gives a composition up: that is said, nothing of it stays, and its name is free again', async () => {
	const lake = await longLake();
	const composedBefore = await readdir(path.join(lake, 'composed')).catch(() => []);
	const child = home.start(['compose', '--lake', lake, 'left', 'dataset:parents']);
	const end = ended(child);
	let sent = false;
	child.stderr?.on('data', chunk => {
		if (sent || !/left.*(?:queued|preparing)/.test(String(chunk))) return;
		sent = true;
		child.kill('SIGINT');
	});
	const {code, stdout, stderr} = await end;
	expect(stderr).toMatch(/^Cancelled: nothing of left was kept\.$/m);
	expect(stderr).not.toMatch(/continues|service stopped|try again/);
	expect([code, stdout]).toEqual([130, '']);
	// The service has ended it too: what it had written is gone, and the lake is as it was.
	const {items} = JSON.parse((await home.run(['uploads', '--json', '--lake', lake])).stdout);
	const ofLeft = items.filter(({dataset_name: name}: {dataset_name: string}) => name === 'left');
	expect(
		ofLeft.map(({phase}: {phase: string}) => phase).filter((phase: string) => phase !== 'failed'),
	).toEqual([]);
	await expect.poll(() => readdir(path.join(lake, 'composed')).catch(() => [])).toEqual(composedBefore);
	const again = await home.run(['compose', '--lake', lake, 'left', 'dataset:parents', 'index:1']);
	expect(again).toMatchObject({code: 0, stdout: expect.stringMatching(/^left: 1 episode,/)});
});

test('compose makes one dataset of what a filter finds, and refuses what makes no sense', async () => {
	const lake = home.at('lake');
	const flags = ['--lake', lake];
	await armDataset(home.at('one'), siblings(3));
	await armDataset(home.at('two'), siblings(2));
	await home.run(['ingest', ...flags, home.at('one'), home.at('two')]);
	const made = await home.run(['compose', ...flags, 'best', 'index:1']);
	expect(made.stderr).toContain('best: ');
	expect(made).toMatchObject({code: 0, stdout: expect.stringMatching(/^best: 2 episodes, \d+ frames in \//)});
	const children = await home.run(['episodes', ...flags, '--jsonl', 'is:child']);
	const rows = children.stdout.trimEnd().split('\n');
	expect(rows.map(line => JSON.parse(line).dataset_name)).toEqual(['best', 'best']);

	const again = await home.run(['compose', ...flags, 'best', 'index:1']);
	expect(again).toMatchObject({code: 1, stdout: ''});
	expect(again.stderr).toContain('The name best is taken');
	await armDataset(home.at('koch'), siblings(1), {robotType: 'koch', cameras: ['observation.images.front']});
	await home.run(['ingest', ...flags, home.at('koch')]);
	const mixed = await home.run(['compose', ...flags, 'mixed', 'dataset:koch,one']);
	expect(mixed).toMatchObject({code: 1, stdout: ''});
	expect(mixed.stderr.trimEnd().split('\n').slice(-4)).toEqual([
		expect.stringMatching(
			/^These episodes have 2 layouts: so101\S+, koch\S+\. Filter .* for example interface:so101\S+\.$/,
		),
		'Layouts differ:',
		'robot_type is "koch" in koch and "so101_follower" in one',
		'koch has a feature "observation.images.front" and one has none',
	]);
	const cameras = Array.from({length: 14}, (_, place) => `observation.images.camera_${place}`);
	await armDataset(home.at('many'), siblings(1), {robotType: 'koch', cameras});
	await home.run(['ingest', ...flags, home.at('many')]);
	const many = await home.run(['compose', ...flags, 'mixed', 'dataset:many,one']);
	// The two sentences above them, robot_type and a feature for each camera: 17, of which 12 are said.
	expect(many.stderr.trimEnd().split('\n').at(-1)).toBe('… and 5 more');
	const none = await home.run(['compose', ...flags, 'other', 'index:77']);
	expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('finds no episode')]);
	const unnamed = await home.run(['compose', ...flags, 'tier:retrainable']);
	expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('Give a name and a filter')]);
	const readOnly = await home.run(['compose', ...flags, '--read-only', 'other', 'index:1']);
	expect([readOnly.code, readOnly.stderr]).toEqual([2, expect.stringContaining('read-only')]);
});

test('compose makes what a file keeps, first only says so, and copies it to where a cluster sees it, under its name', async () => {
	const flags = ['--lake', home.at('kept-lake')];
	await armDataset(home.at('takes'), siblings(4));
	await home.run(['ingest', ...flags, home.at('takes')]);
	const listed = await home.run(['episodes', ...flags, '--jsonl']);
	const rows = listed.stdout
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line) as Record<string, unknown>);
	const decided = [
		{episode_id: rows[0]?.episode_id, review_state: 'human_audited'},
		{dataset_name: 'takes', episode_index: 1, review_state: 'rejected'},
		{episode_revision_id: rows[2]?.episode_revision_id},
	];
	const file = home.at('reviews.jsonl');
	await writeFile(file, decided.map(line => `${JSON.stringify(line)}\n`).join(''));
	const target = path.join(home.at('shared'), 'me', 'kept');
	const order = [
		'compose',
		...flags,
		'kept',
		'--from',
		file,
		'--to',
		home.at('shared'),
		'--repo-id',
		'me/kept',
	];
	const dry = await home.run([...order, '--dry-run']);
	const frames = Number(rows[0]?.frame_count) + Number(rows[2]?.frame_count);
	expect([dry.code, dry.stdout]).toEqual([
		0,
		`kept: would be 2 episodes, ${frames} frames (2 of takes), in the lake, and in ${target}\n`,
	]);
	expect(dry.stderr).toContain('1 rejected episode is left out.\nNothing was composed.\n');
	await expect(readdir(home.at('shared'))).rejects.toThrow();
	const made = await home.run(order);
	expect([made.code, made.stdout]).toEqual([0, expect.stringContaining(`\nCopied to ${target}\n`)]);
	expect(made.stderr).toContain(`--dataset.repo_id=me/kept --dataset.root=${target}`);
	expect(await readdir(path.dirname(target))).toEqual(['kept']);
	const info = JSON.parse(await readFile(path.join(target, 'meta/info.json'), 'utf8'));
	expect(info.total_episodes).toBe(2);
	const children = await home.run(['episodes', ...flags, '--jsonl', 'dataset:kept']);
	const parents = children.stdout
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line).parent_episode_index);
	expect(parents).toEqual([0, 2]);
	const again = await home.run([...order.slice(0, 3), 'other', ...order.slice(4)]);
	expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`${target} exists already`)]);
	await writeFile(file, '{"task": "wipe"}\n');
	const odd = await home.run(['compose', ...flags, 'odd', '--from', file]);
	expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('Line 1 of')]);
	const misnamed = await home.run(['compose', ...flags, 'odd', 'index:1', '--repo-id', 'nobody']);
	expect([misnamed.code, misnamed.stderr]).toEqual([2, expect.stringContaining('ORG/NAME')]);
});

test('compose leaves rejected episodes out and says how many, unless it is asked for them', async () => {
	const flags = ['--lake', home.at('judged-lake')];
	await armDataset(home.at('judged'), siblings(4));
	await home.run(['ingest', ...flags, home.at('judged')]);
	const listed = await home.run(['episodes', ...flags, '--jsonl', 'index:2']);
	const {episode_id} = JSON.parse(listed.stdout) as {episode_id: string};
	await writeFile(
		home.at('mark.json'),
		JSON.stringify({episode_ids: [episode_id], review_state: 'rejected'}),
	);
	await home.run(['api', 'POST', '/local/v1/reviews', ...flags, '--input', home.at('mark.json')]);

	const without = await home.run(['compose', ...flags, 'without', 'dataset:judged']);
	expect(without).toMatchObject({code: 0, stdout: expect.stringMatching(/^without: 3 episodes/)});
	expect(without.stderr).toContain('1 rejected episode is left out; --with-rejected includes them.');
	const all = await home.run(['compose', ...flags, '--with-rejected', 'all', 'dataset:judged']);
	expect(all).toMatchObject({code: 0, stdout: expect.stringMatching(/^all: 4 episodes/)});
	expect(all.stderr).not.toContain('left out');
	const asked = await home.run(['compose', ...flags, 'asked', 'dataset:judged', 'review:rejected']);
	expect(asked).toMatchObject({code: 0, stdout: expect.stringMatching(/^asked: 1 episode,/)});
	const none = await home.run(['compose', ...flags, 'none', 'dataset:judged', 'index:2']);
	expect([none.code, none.stderr]).toEqual([
		1,
		expect.stringMatching(/The episode is rejected, .*\n--with-rejected includes them\./s),
	]);
	const children = await home.run(['episodes', ...flags, '--jsonl', 'dataset:all', 'review:rejected']);
	expect(children.stdout.trimEnd().split('\n')).toHaveLength(1);
});

test('composing where the videos of the parents are gone ends with 1: a training would fail', async () => {
	const flags = ['--lake', home.at('lake-gone')];
	const folder = home.at('filmed');
	await armDataset(folder, siblings(3), {cameras: ['observation.images.front']});
	await home.run(['ingest', ...flags, folder]);
	await rm(path.join(folder, 'videos'), {recursive: true, force: true});
	const {code, stdout, stderr} = await home.run(['compose', ...flags, 'best', 'index:1']);
	expect(code).toBe(1);
	expect(stdout).toMatch(/^best: 1 episode, \d+ frames in \//);
	expect(stderr).toContain('1 video file that the parents name is missing: training on best would fail.');
});
