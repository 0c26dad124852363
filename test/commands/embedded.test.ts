import {mkdir, rename, rm} from 'node:fs/promises';
import {expect, test} from 'vitest';
import {processesOver} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {writeLerobotDataset, writeVideo} from '../support/lerobot-dataset.ts';
import {ended, programHome} from './support/program.ts';

const home = programHome();
const lines = (text: string) => text.trimEnd().split('\n');

test('ingest takes a dataset in, and every command sees it', async () => {
	const folder = await smallDataset(home.at('push-1'), {episodes: 3, frames: 90});
	const lake = home.at('lake');
	const ingest = await home.run(['ingest', '--lake', lake, folder]);
	expect(ingest.stderr).toContain('push-1: too few siblings to tell: 2 of its task, 8 are needed\n');
	expect(ingest).toMatchObject({code: 0, stdout: 'push-1: 3 episodes, 270 frames\n'});
	const episodes = await home.run(['episodes', '--lake', lake, '--json']);
	const {total, total_frames, episodes: found} = JSON.parse(episodes.stdout);
	expect({total, total_frames}).toEqual({total: 3, total_frames: 270});
	expect(found.map((episode: {dataset_name: string}) => episode.dataset_name)).toEqual([
		'push-1',
		'push-1',
		'push-1',
	]);
	const byName = await home.run(['episodes', '--jsonl', 'dataset:push-1', 'index:2'], {LAKESCOPE_LAKE: lake});
	expect(lines(byName.stdout).map(line => JSON.parse(line).episode_index)).toEqual([2]);
	const datasets = await home.run(['datasets', '--lake', lake]);
	expect(lines(datasets.stdout)).toHaveLength(2);
	expect(datasets.stdout).toContain('local/push-1');
	const summary = await home.run(['--lake', lake]);
	expect(lines(summary.stdout)[0]).toBe(
		`lakescope · ${lake.replace(home.root, '~')} · 1 dataset · 3 episodes · 270 frames · 9.0 s`,
	);
});

test('a CSV runs no formula in a spreadsheet and nothing in a terminal; --raw gives the bytes', async () => {
	const tasks = [
		'=HYPERLINK("https://a.example","open")',
		'-4.88',
		'@cmd',
		'\u001b[2Jgone',
		'Fold, then "rest"',
	];
	const folder = home.at('formulas');
	await writeLerobotDataset(folder, {episodes: tasks.map(task => ({tasks: [task]}))});
	const lake = home.at('lake-formulas');
	expect(await home.run(['ingest', '--lake', lake, folder])).toMatchObject({code: 0});
	const cells = async (...more: string[]) => {
		const {code, stdout} = await home.run(['episodes', '--lake', lake, '--csv', ...more]);
		expect(code).toBe(0);
		return lines(stdout).map(line => /^(?:[^,]*,){4}("(?:[^"]|"")*"|[^,]*),/.exec(line)?.[1]);
	};
	expect(await cells()).toEqual([
		'task',
		`"'=HYPERLINK(""https://a.example"",""open"")"`,
		'-4.88',
		"'@cmd",
		'\\u001b[2Jgone',
		'"Fold, then ""rest"""',
	]);
	expect(await cells('--raw')).toEqual([
		'task',
		'"=HYPERLINK(""https://a.example"",""open"")"',
		'-4.88',
		'@cmd',
		'\u001b[2Jgone',
		'"Fold, then ""rest"""',
	]);
	const json = await home.run(['episodes', '--lake', lake, '--raw']);
	expect(json).toMatchObject({code: 2, stdout: ''});
	expect(json.stderr).toContain('--raw goes with --csv.');
});

test('a term with a hyphen is a filter and no flag, and leaves out what it says', async () => {
	const folder = home.at('tagged');
	const tagged = [['suspect', 'night'], ['night'], [], ['suspect']];
	await writeLerobotDataset(folder, {
		episodes: tagged.map((tags, index) => ({tags, frames: 60 * (index + 1), tasks: [`task ${index}`]})),
	});
	const lake = home.at('lake-tagged');
	expect(await home.run(['ingest', '--lake', lake, folder])).toMatchObject({code: 0});
	const indices = async (...filter: string[]) => {
		const {code, stdout, stderr} = await home.run(['episodes', '--lake', lake, '--json', ...filter]);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		const {episodes, total} = JSON.parse(stdout);
		expect(total).toBe(episodes.length);
		return episodes.map((episode: {episode_index: number}) => episode.episode_index);
	};
	expect(await indices('-tag:suspect')).toEqual([1, 2]);
	expect(await indices('!tag:suspect', 'tag:night')).toEqual([1]);
	expect(await indices('-tag:suspect -task:"task 2"')).toEqual([1]);
	expect(await indices('-task:"task 0","task 3"')).toEqual([1, 2]);
	expect(await indices('-dataset:tagged')).toEqual([]);
	expect(await indices('-review:rejected')).toEqual([0, 1, 2, 3]);
	expect(await indices('-duration_s>4.5')).toEqual([0, 1]);
	expect(await indices('--', '-tag:night')).toEqual([2, 3]);
	const summary = await home.run(['-tag:suspect', '--lake', lake]);
	expect(summary).toMatchObject({code: 0});
	expect(summary.stdout).toContain('2 episodes');
	const flag = await home.run(['episodes', '--lake', lake, '-tag']);
	expect(flag).toMatchObject({code: 2, stdout: ''});
	const odd = await home.run(['episodes', '--lake', lake, '-index:3']);
	expect(odd).toMatchObject({code: 2, stdout: ''});
	expect(odd.stderr).toContain('expected a key whose values can be left out: -tier:');
}, 120_000);

test('folders of datasets are searched down to ORG/NAME, and a name can be given', async () => {
	await smallDataset(home.at('many/alpha'));
	await smallDataset(home.at('many/org/beta'));
	const lake = home.at('lake-many');
	const both = await home.run(['ingest', '--lake', lake, home.at('many')]);
	expect(both).toMatchObject({
		code: 0,
		stdout: 'alpha: 2 episodes, 120 frames\nbeta: 2 episodes, 120 frames\n',
	});
	const named = await home.run(['ingest', '--lake', lake, '--name', 'gamma', home.at('many/alpha')]);
	expect(named).toMatchObject({code: 0, stdout: 'gamma: 2 episodes, 120 frames\n'});
	const ambiguous = await home.run(['ingest', '--lake', lake, '--name', 'delta', home.at('many')]);
	expect(ambiguous).toMatchObject({code: 2, stdout: ''});
	expect(ambiguous.stderr).toContain('--name names one dataset, and there are 2');
});

test('an embedded service that is killed meanwhile is started again, and the ingest goes on', async () => {
	const folder = await smallDataset(home.at('survives'), {episodes: 60, frames: 400});
	const lake = home.at('lake-survives');
	const child = home.start(['ingest', '--lake', lake, folder]);
	const end = ended(child);
	let killed = false;
	child.stderr?.on('data', chunk => {
		if (killed || !String(chunk).includes('queued')) return;
		killed = true;
		for (const pid of processesOver(`embedded-service.js\0--lake\0${lake}\0`)) process.kill(pid, 'SIGKILL');
	});
	const {code, stdout, stderr} = await end;
	expect(stderr).toContain('The embedded service stopped; another one continues.');
	expect({code, stdout}).toEqual({code: 0, stdout: 'survives: 60 episodes, 24,000 frames\n'});
});

test('an ingest says where it goes when another service is configured', async () => {
	const folder = await smallDataset(home.at('here'));
	const hosted = {LAKESCOPE_URL: 'http://user:secret@127.0.0.1:9', XDG_DATA_HOME: home.at('data-of-its-own')};
	const own = await home.run(['ingest', folder], hosted);
	expect(own).toMatchObject({code: 0, stdout: 'here: 2 episodes, 120 frames\n'});
	expect(own.stderr).toContain('not to the service that LAKESCOPE_URL names: lakescope upload sends there.');
	expect(own.stderr).not.toContain('secret');
	const named = await home.run(['ingest', '--lake', home.at('named'), folder], hosted);
	expect(named.stderr).not.toContain('LAKESCOPE_URL');
});

test('a re-ingest that finds videos which were missing says so; one that finds the same is unchanged', async () => {
	const folder = home.at('filmed');
	const camera = 'observation.images.top';
	await writeLerobotDataset(folder, {cameras: [camera], videoFiles: false});
	const again = async () => (await home.run(['ingest', '--lake', home.at('lake-filmed'), folder])).stdout;
	expect(await again()).toBe('filmed: 2 episodes, 120 frames\n');
	expect(await again()).toBe('filmed: 2 episodes, 120 frames, as generation 2, unchanged\n');
	await writeVideo(folder, camera);
	expect(await again()).toBe(
		'filmed: 2 episodes, 120 frames, as generation 3, no recording changed, videos found for 2 episodes\n',
	);
});

test('a second folder of one name is told to take another', async () => {
	await smallDataset(home.at('twice/org-a/same'));
	await smallDataset(home.at('twice/org-b/same'), {episodes: 1});
	const {code, stdout, stderr} = await home.run([
		'ingest',
		'--lake',
		home.at('lake-twice'),
		home.at('twice'),
	]);
	expect(stdout).toBe('same: 2 episodes, 120 frames\n');
	expect(stderr).toContain('--name');
	expect(code).toBe(1);
});

test('a folder that holds no dataset is named; alone it ends with 2, among others with 1', async () => {
	await mkdir(home.at('nothing-here'), {recursive: true});
	const lake = home.at('lake-nothing');
	const alone = await home.run(['ingest', '--lake', lake, 'nothing-here']);
	expect(alone).toMatchObject({code: 2, stdout: ''});
	expect(alone.stderr).toContain('nothing-here holds no LeRobot dataset: there is no meta/info.json in it');
	const folder = await smallDataset(home.at('push-2'));
	const among = await home.run(['ingest', '--lake', lake, 'nothing-here', folder]);
	expect(among).toMatchObject({code: 1, stdout: 'push-2: 2 episodes, 120 frames\n'});
});

test('a broken dataset is reported, the others are ingested, and the exit code says so', async () => {
	await smallDataset(home.at('mixed/good'));
	await smallDataset(home.at('mixed/bad'));
	await rm(home.at('mixed/bad/data'), {recursive: true});
	const {code, stdout, stderr} = await home.run([
		'ingest',
		'--lake',
		home.at('lake-mixed'),
		home.at('mixed'),
	]);
	expect(stdout).toContain('good: 2 episodes, 120 frames\n');
	expect(stderr).toContain('bad: ');
	expect(stderr).toContain('data');
	expect(code).toBe(1);
});

test('a named lake that is empty shows that it is, never the sample', async () => {
	const lake = home.at('lake-empty');
	const {stdout, stderr} = await home.run(['episodes', '--lake', lake, '--json']);
	expect(JSON.parse(stdout)).toMatchObject({total: 0, episodes: []});
	expect(stderr).toBe('');
	const summary = await home.run([], {LAKESCOPE_LAKE: lake});
	expect(summary.code).toBe(0);
	expect(lines(summary.stdout)[0]).toContain('0 episodes');
	expect(summary.stdout).toContain(
		'is empty. Ingest datasets with: lakescope ingest --lake ~/lake-empty DIR',
	);
});

test('an empty lake names the datasets that LeRobot keeps, and how to ingest them', async () => {
	await smallDataset(home.at('kept/lab/towel'));
	const env = {HF_LEROBOT_HOME: '~/kept', LAKESCOPE_LAKE: home.at('lake-offer')};
	const {stdout} = await home.run([], env);
	expect(stdout).toContain('LeRobot keeps 1 dataset on this machine:\n  lab/towel\n');
	expect(stdout).toContain('Ingest them with: lakescope ingest --lake ~/lake-offer ~/kept');
});

test('the summary counts robots, and a robot that was mistyped is answered with those there are', async () => {
	const folder = await smallDataset(home.at('robots', 'push-9'), {episodes: 2});
	const lake = home.at('lake-robots');
	expect((await home.run(['ingest', '--lake', lake, folder])).code).toBe(0);
	const {stdout} = await home.run(['--lake', lake]);
	expect(lines(stdout)).toContainEqual(expect.stringMatching(/^Robot +pusher 2$/));
	const {stderr} = await home.run(['episodes', '--lake', lake, 'robot:pushr']);
	expect(stderr).toContain('No episode has the robot pushr. Did you mean pusher?');
});

test('lakescope DIR ingests the folder and then shows the lake', async () => {
	const folder = await smallDataset(home.at('push-3'));
	const {code, stdout} = await home.run([folder, '--lake', home.at('lake-dir')]);
	expect(code).toBe(0);
	expect(lines(stdout)[0]).toBe('push-3: 2 episodes, 120 frames');
	expect(stdout).toContain('1 dataset · 2 episodes · 120 frames');
});

test('lakescope DIR shows nothing else where none of its folders gets in, and says which did not', async () => {
	const lake = home.at('lake-refused');
	const folder = await smallDataset(home.at('push-4'));
	const other = await smallDataset(home.at('others', 'push-4'));
	expect((await home.run(['ingest', '--lake', lake, folder])).code).toBe(0);
	const refused = await home.run([other, '--lake', lake]);
	expect(refused).toMatchObject({code: 1, stdout: ''});
	expect(refused.stderr).toContain(`push-4: The lake has a dataset named push-4 already, from ${folder}.`);
	const some = await home.run([folder, other, '--lake', lake]);
	expect(some.code).toBe(1);
	expect(some.stderr).toContain('push-4: The lake has');
	expect(some.stdout).toContain('1 dataset · 2 episodes');
});

test('a lake folder that cannot be used is said with the way out', async () => {
	const lake = home.at('push-1', 'meta', 'info.json');
	const {code, stderr} = await home.run(['episodes', '--lake', lake]);
	expect(code).toBe(1);
	expect(stderr).toContain(`Cannot use the lake folder ${lake}`);
	expect(stderr).toContain('--lake DIR');
});

test('serve says where it listens, takes the key of its environment, and ends when told to', async () => {
	const key = 'a-key-of-our-own';
	const child = home.start(['serve', '--lake', home.at('lake-served')], {LAKESCOPE_API_KEY: key});
	const end = ended(child);
	const url = await new Promise<string>(resolve => {
		let text = '';
		child.stdout?.on('data', chunk => {
			text += chunk;
			const found = /^listening (http:\/\/127\.0\.0\.1:\d+)\n/.exec(text)?.[1];
			if (found) resolve(found);
		});
	});
	const answer = await home.run(['episodes', '--json', '--url', url], {LAKESCOPE_API_KEY: key});
	expect(JSON.parse(answer.stdout)).toMatchObject({total: 0});
	expect((await home.run(['episodes', '--url', url], {LAKESCOPE_API_KEY: 'another-key'})).code).toBe(4);
	const busy = await home.run(['serve', '--lake', home.at('lake-other'), '--port', new URL(url).port]);
	expect(busy).toMatchObject({code: 1, stdout: ''});
	expect(busy.stderr).toContain(new URL(url).port);
	child.kill('SIGTERM');
	expect(await end).toMatchObject({code: 0, stdout: `listening ${url}\n`});
});

test('with nothing configured and an empty lake the sample stands in, and is called a sample', async () => {
	const {code, stdout, stderr} = await home.run([]);
	expect(code).toBe(0);
	expect(stderr).toContain('sample lake: ');
	expect(lines(stdout)[0]).toMatch(/^lakescope · sample lake .* episodes · /);
	const episodes = await home.run(['episodes', '--limit', '1']);
	expect(episodes.stderr).toContain('This is the sample lake: recordings of simulated arms.');
	const folder = await smallDataset(home.at('push-own'));
	await home.run(['ingest', folder]);
	const own = await home.run([]);
	expect(lines(own.stdout)[0]).toContain('1 dataset · 2 episodes');
	const asked = await home.run(['--sample']);
	expect(lines(asked.stdout)[0]).toMatch(/^lakescope · sample lake /);
	await rename(folder, `${folder}-moved`);
}, 90_000);
