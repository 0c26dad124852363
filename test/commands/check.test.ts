import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, rename, rm, symlink, truncate, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {wholeDataset, wholeDatasetV21} from '../lerobot/check/checked-dataset.ts';
import {cutFooter, editInfo, garble} from '../support/dataset-damage.ts';
import {dataFile, writeLerobotDataset} from '../support/lerobot-dataset.ts';
import {writeLerobotV21Dataset} from '../support/lerobot-v21-dataset.ts';
import {writeMp4} from '../support/mp4.ts';
import {programHome} from './support/program.ts';

const home = programHome();
const lines = (text: string) => text.trimEnd().split('\n');
const lake = home.at('lake');

async function dataset(name: string, frames = 30): Promise<string> {
	const folder = home.at('datasets', name);
	await writeLerobotDataset(folder, {
		episodes: [{frames}, {frames: 30}, {frames: 30}],
		episodesPerFile: 1,
		rowGroupSize: 2048,
		cameras: ['observation.images.top'],
		videosInRow: true,
	});
	await writeVideo(folder, frames + 60);
	// A training needs statistics of each camera; those of the others it would only miss.
	const three = (value: number) => [[[value]], [[value]], [[value]]];
	const camera = {min: three(0), max: three(1), mean: three(0.5), std: three(0.2), count: [frames + 60]};
	await writeFile(path.join(folder, 'meta/stats.json'), JSON.stringify({'observation.images.top': camera}));
	return folder;
}

const videoFile = 'videos/observation.images.top/chunk-000/file-000.mp4';
const writeVideo = (folder: string, frames: number) =>
	writeMp4(path.join(folder, videoFile), {frames, fps: 30, width: 640, height: 480});

type Item = {
	readonly ok: boolean;
	readonly refusal: string | null;
	readonly losses: string[];
	readonly would_train: boolean;
	readonly training_failures: string[];
	readonly warnings: string[];
	readonly new_bytes: number | null;
	readonly bytes: number;
	readonly files: number;
	readonly episodes: number;
	readonly expected_episodes: number;
	readonly left_out: string[];
	readonly damages: {readonly id: string; readonly severity: string; readonly repairable: boolean}[];
	readonly problems: {readonly file: string; readonly episode_index?: number; readonly message: string}[];
};

async function check(folder: string, ...more: string[]): Promise<{code: number | null; item: Item}> {
	const {code, stdout} = await home.run(['check', '--lake', lake, '--json', folder, ...more]);
	const {items} = JSON.parse(stdout) as {items: Item[]};
	expect(items).toHaveLength(1);
	return {code, item: items[0] as Item};
}

test('a whole dataset is told in one line, with what is new to the service before and after its upload', async () => {
	const folder = home.at('datasets', 'whole');
	await mkdir(path.dirname(folder), {recursive: true});
	await rename(await wholeDataset(), folder);
	await mkdir(path.join(folder, '.git'));
	const before = await check(folder);
	expect(before.item.damages.filter(({severity}) => severity !== 'lerobot-rule')).toEqual([]);
	expect(before.code).toBe(0);
	expect(before.item).toMatchObject({
		ok: true,
		episodes: 5,
		expected_episodes: 5,
		files: 9,
		left_out: ['.git'],
	});
	expect(before.item.new_bytes).toBe(before.item.bytes);
	await home.run(['upload', '--lake', lake, folder]);
	const {code, stdout} = await home.run(['check', '--lake', lake, folder]);
	expect(code).toBe(0);
	expect(stdout).toMatch(
		/^whole: 9 files, \d+ KiB; 0 B are new to the service; 5 episodes, 101 frames to ingest\n/,
	);
	expect(stdout).not.toContain('A training');
});

test('damages are told by kind, the worst first, with what LeRobot does and what mends them', async () => {
	const folder = home.at('datasets', 'damaged');
	await rename(await wholeDataset(), folder);
	await writeMp4(path.join(folder, 'videos/observation.images.front/chunk-000/file-003.mp4'), {
		frames: 25,
		fps: 10,
	});
	await editInfo(folder, info => Object.assign(info, {splits: {train: '0:9'}, total_frames: 77}));
	const {code, stdout} = await home.run(['check', '--lake', lake, folder]);
	expect(code).toBe(1);
	const at = (text: string) => {
		expect(stdout).toContain(text);
		return stdout.indexOf(text);
	};
	const places = [
		'  A training fails:\n',
		'    video-frames-missing: A video file has fewer frames than its episodes.\n',
		'file-003.mp4 has 25 frames, and its episodes 30.\n      LeRobot: Raises Invalid frame index',
		'  A training is worse:\n    total-frames-wrong: ',
		'meta/info.json says total_frames 77, and there are 101.\n',
		'  Cosmetic:\n    splits-wrong: ',
		'      Repair: Writes the one split train over all episodes.\n',
	].map(at);
	expect(places).toEqual([...places].sort((a, b) => a - b));
	// The ingest complains of total_frames, too; that is said once.
	expect(stdout.split('total_frames 77').length + stdout.split('77 frames').length).toBe(3);
	const {item} = await check(folder);
	expect(item).toMatchObject({ok: false, would_train: false});
	expect(item.damages[0]).toMatchObject({severity: 'training-fails', episodes: [4], repairable: true});
	expect(item.damages.find(({id}) => id === 'splits-wrong')).toMatchObject({
		severity: 'cosmetic',
		repairable: true,
	});
});

test('of many damages of a kind some are told, and how many more there are', async () => {
	const folder = home.at('datasets', 'many');
	await rename(await wholeDatasetV21(), folder);
	for (let episode = 0; episode < 5; episode++) {
		const file = `videos/chunk-000/observation.images.front/episode_00000${episode}.mp4`;
		await writeFile(path.join(folder, file), 'no video');
	}
	const {code, stdout} = await home.run(['check', '--lake', lake, folder]);
	expect(code).toBe(1);
	expect(stdout).toContain('    video-unreadable (5): A video file has no readable header.\n');
	expect(stdout).toContain('      and 2 more\n');
	expect((await check(folder)).item.damages.filter(({id}) => id === 'video-unreadable')).toHaveLength(5);
});

test('missing videos end the check with 1, as a training would fail; an ingest takes such a dataset', async () => {
	const folder = await dataset('blind');
	await rm(path.join(folder, 'videos'), {recursive: true});
	const {code, stdout} = await home.run(['check', '--lake', lake, folder]);
	expect(code).toBe(1);
	expect(stdout).toContain('3 episodes, 90 frames to ingest\n  Training on it would fail: videos missing\n');
	const sentence =
		'videos: The folder videos is missing; meta/info.json declares camera "observation.images.top".';
	expect(stdout).toContain(`    video-missing: A video file is missing.\n      ${sentence}\n`);
	expect(stdout.match(/ is missing;/g)).toHaveLength(1);
});

test('one missing video is enough, and --json tells what fails a training and what is only a warning', async () => {
	const folder = await dataset('one-video-less');
	await rm(path.join(folder, 'videos'), {recursive: true});
	await mkdir(path.join(folder, 'videos/observation.images.top'), {recursive: true});
	const file = 'videos/observation.images.top/chunk-000/file-000.mp4';
	const {code, item} = await check(folder);
	expect(code).toBe(1);
	expect(item).toMatchObject({ok: false, refusal: null, losses: [], would_train: false, warnings: []});
	expect(item.training_failures[0]).toContain(file);
	await writeVideo(folder, 90);
	await editInfo(folder, info => Object.assign(info, {total_frames: 7}));
	const mended = await check(folder);
	expect(mended.code).toBe(0);
	expect(mended.item).toMatchObject({ok: true, would_train: true, training_failures: []});
	expect(mended.item.warnings).toHaveLength(1);
});

test('a v2.1 dataset is fine but for the warning that trainers of today do not read it', async () => {
	const folder = home.at('datasets', 'older');
	await writeLerobotV21Dataset(folder);
	const {code, item} = await check(folder);
	expect({code, ok: item.ok}).toEqual({code: 0, ok: true});
	expect(item.warnings.join('\n')).toContain('convert_dataset_v21_to_v30');
});

test('what an ingest would leave out is told by file and episode', async () => {
	const folder = await dataset('broken');
	await cutFooter(folder, dataFile(1));
	await rm(path.join(folder, dataFile(2)));
	const {code, item} = await check(folder);
	expect(code).toBe(1);
	expect(item).toMatchObject({
		ok: false,
		refusal: null,
		episodes: 1,
		expected_episodes: 3,
		losses: ['2 of its 3 episodes would be left out'],
	});
	expect(item.problems.map(({file}) => file)).toEqual([dataFile(1), dataFile(2)]);
	expect(item.problems.map(({message}) => message).join('\n')).toContain('so that episode 1 is left out');
});

test('damage in the middle of a file is found, not only at its ends', async () => {
	const folder = await dataset('garbled', 3000);
	await garble(folder, dataFile(0), 2000, 60_000);
	const {code, item} = await check(folder);
	expect(code).toBe(1);
	expect(item.losses).toEqual(['1 of its 3 episodes would be left out']);
	expect(item.problems.some(({file}) => file === dataFile(0))).toBe(true);
});

test('what cannot be sent is told: links out, odd names, pipes', async () => {
	const folder = await dataset('odd');
	await symlink('/etc/hostname', path.join(folder, 'out'));
	await writeFile(path.join(folder, 'back\\slash'), '');
	execFileSync('mkfifo', [path.join(folder, 'pipe')]);
	const {code, item} = await check(folder);
	expect(code).toBe(1);
	expect(item.losses).toEqual(['3 files cannot be sent']);
	expect(item.problems.map(({file}) => file)).toEqual(['back\\slash', 'out', 'pipe']);
});

test.each([
	[
		'a description that is no JSON',
		(folder: string) => truncate(path.join(folder, 'meta/info.json'), 40),
		'is not JSON',
	],
	[
		'another version',
		(folder: string) => editInfo(folder, info => Object.assign(info, {codebase_version: 'v1.6'})),
		'v1.6 dataset',
	],
	['no data', (folder: string) => rm(path.join(folder, 'data'), {recursive: true}), 'Nothing of '],
])('%s refuses the dataset as a whole', async (what, damage, sentence) => {
	const folder = await dataset(what.replaceAll(' ', '-'));
	await damage(folder);
	const {code, item} = await check(folder);
	expect(code).toBe(1);
	expect(item.refusal).toContain(sentence);
	expect(item.new_bytes).toBeNull();
});

test('a name that no dataset may have is told with the way out', async () => {
	const folder = await dataset('a name with spaces');
	const {code, item} = await check(folder);
	expect(code).toBe(1);
	expect(item.refusal).toContain('Give a name with --name NAME.');
	expect((await check(folder, '--name', 'better')).code).toBe(0);
});

test('a folder that is no dataset is a finding, one that is not there a mistake of the command line', async () => {
	await mkdir(home.at('nothing', 'deep'), {recursive: true});
	const none = await check(home.at('nothing'));
	expect(none.code).toBe(1);
	expect(none.item.refusal).toContain('is not a LeRobot dataset');
	expect(none.item.files).toBe(0);
	expect((await home.run(['check', 'nowhere'])).code).toBe(2);
	expect((await home.run(['check'])).code).toBe(2);
});

test('several datasets are checked one by one, and one with faults decides the exit code', async () => {
	await dataset('several/good');
	await cutFooter(await dataset('several/bad'), dataFile(0));
	const {code, stdout} = await home.run(['check', '--lake', lake, home.at('datasets', 'several')]);
	expect(code).toBe(1);
	expect(lines(stdout).filter(line => !line.startsWith(' '))).toEqual([
		expect.stringMatching(/^bad: /),
		expect.stringMatching(/^good: /),
	]);
});

test('without a service that can be reached the check is made all the same', async () => {
	const folder = await dataset('alone');
	const {code, stdout, stderr} = await home.run(['check', '--lake', '/dev/null/lake', folder]);
	expect(code).toBe(0);
	expect(stdout).toContain('3 episodes, 90 frames to ingest');
	expect(stderr).toContain(
		'alone: the amount of new data is unknown: Cannot use the lake folder /dev/null/lake',
	);
	expect(existsSync('/dev/null/lake')).toBe(false);
});
