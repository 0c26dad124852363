import {readFile, rename, rm, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {cutFooter, editInfo, rewriteParquet} from '../../support/dataset-damage.ts';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {dataFileV21, videoFileV21, writeLerobotV21Dataset} from '../../support/lerobot-v21-dataset.ts';
import {detailsOf, indicesOf, ingest, tiersOf} from './ingest-run.ts';
import {dataset, root, take} from './work-dataset.ts';

const top = 'observation.images.top';

const four = {episodes: [{}, {tasks: ['drop the cube']}, {frames: 90}, {}]};

async function editLines(file: string, edit: (lines: string[]) => string[]): Promise<void> {
	const target = path.join(dataset, file);
	const lines = (await readFile(target, 'utf8')).trimEnd().split('\n');
	await writeFile(target, `${edit(lines).join('\n')}\n`);
}

describe('a v2.1 dataset', () => {
	test('is taken whole, over chunk folders, and nothing is made up of its cameras', async () => {
		await writeLerobotV21Dataset(dataset, {...four, chunksSize: 3, cameras: [top], videoFiles: false});
		const taken = await take();
		expect(taken.messages).toEqual([
			`The folder videos is missing; meta/info.json declares camera "${top}".`,
		]);
		expect([taken.episodeCount, taken.totalFrames]).toEqual([4, 270]);
		expect(tiersOf(taken)).toEqual(Array(4).fill('retrainable'));
		expect(taken.episodes[1]).toMatchObject({task: 'drop the cube', sync_skew_max_ms: null});
		expect(taken.dataset).toMatchObject({format: 'v2.1', subtype: 'lerobot_v3', cameras: [top]});
	});

	test('has the very figures, and the revisions, of the same recording in v3.0', async () => {
		await writeLerobotV21Dataset(dataset, four);
		const other = path.join(root, 'v30');
		await writeLerobotDataset(other, four);
		const [old, current] = [await take(), await ingest(other, root)];
		expect(old.episodes).toEqual(current.episodes);
		expect(old.channels).toEqual(current.channels);
		expect(old.dataset.interface_hash).toBe(current.dataset.interface_hash);
	});

	test('names a missing video by its episode, and a camera folder called otherwise', async () => {
		const wrist = 'observation.images.wrist';
		await writeLerobotV21Dataset(dataset, {...four, cameras: [top, wrist]});
		await rm(path.join(dataset, videoFileV21(2, top)));
		const chunk = path.join(dataset, 'videos/chunk-000');
		await rename(path.join(chunk, wrist), path.join(chunk, 'wrist'));
		const taken = await take();
		expect(taken.messages).toEqual([
			`The folder videos has no "${wrist}", as meta/info.json names a camera; there is "wrist".`,
			`${videoFileV21(2, top)}, the video of camera "${top}" of episode 2, is missing.`,
		]);
		expect(detailsOf(taken.episodes[2]).missing_videos).toEqual([
			videoFileV21(2, top),
			videoFileV21(2, wrist),
		]);
	});

	test('names a data file that was cut off and takes the others', async () => {
		await writeLerobotV21Dataset(dataset, four);
		await cutFooter(dataset, dataFileV21(1));
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 2, 3]);
		expect(taken.messages).toEqual([
			`${dataFileV21(1)} has no parquet footer: its writing was cut off, so that episode 1 is left out.`,
		]);
	});

	test('keeps an episode to the file that its number names', async () => {
		await writeLerobotV21Dataset(dataset, four);
		await rewriteParquet(dataset, dataFileV21(0), 'SELECT * REPLACE (3::BIGINT AS episode_index) FROM old');
		const taken = await take();
		expect(indicesOf(taken)).toEqual([1, 2, 3]);
		expect(taken.messages).toEqual([
			`Episode 3: 60 frames of it lie here, but meta/episodes.jsonl places it in ${dataFileV21(3)}; they are left out.`,
			`Episode 0 is not there: meta/episodes.jsonl lists it, but ${dataFileV21(0)} holds no frame of it.`,
		]);
	});
});

describe('the JSON lines of a v2.1 dataset', () => {
	test('that are broken are named; lengths that they held come from the statistics', async () => {
		await writeLerobotV21Dataset(dataset, {episodes: [{}, {}, {}, {length: 70}]});
		await editLines('meta/episodes.jsonl', ([first, , third, fourth]) => [
			`\ufeff${first}`,
			'{"episode_index": 1, "tas',
			'',
			`${third}\r`,
			`${third}`,
			'{"episode_index": -4, "length": 60}',
			'[]',
			`${fourth}`,
		]);
		const taken = await take();
		expect(tiersOf(taken)).toEqual(['retrainable', 'retrainable', 'retrainable', 'analyze_only']);
		expect(taken.messages).toEqual([
			expect.stringMatching(/^meta\/episodes\.jsonl, line 2: it is not JSON \(.+\)\.$/),
			'meta/episodes.jsonl, line 5: it lists episode 2 again; the first row counts.',
			'meta/episodes.jsonl, line 6: it has a row whose episode_index is -4.',
			'meta/episodes.jsonl, line 7: it is not an object with an episode_index.',
			'meta/info.json counts 240 frames, meta/episodes.jsonl lists 250.',
			'Episode 3: it has 60 frames where the metadata says 70.',
		]);
		expect(taken.episodes[1]?.task).toBe('pick the cube');
	});

	test("may hold Python's NaN", async () => {
		await writeLerobotV21Dataset(dataset);
		await editLines('meta/episodes.jsonl', ([, second]) => [`${second}`]);
		await editLines('meta/episodes_stats.jsonl', lines =>
			lines.map(line => line.replace('"min":[0]', '"min":[NaN, -Infinity]')),
		);
		const taken = await take();
		expect(tiersOf(taken)).toEqual([null, 'retrainable']);
	});

	test('that are missing leave the episodes as their files hold them', async () => {
		await writeLerobotV21Dataset(dataset);
		for (const name of ['episodes', 'tasks', 'episodes_stats']) {
			await rm(path.join(dataset, `meta/${name}.jsonl`));
		}
		const taken = await take();
		expect(indicesOf(taken)).toEqual([0, 1]);
		expect(tiersOf(taken)).toEqual([null, null]);
		expect(taken.messages.slice(0, 3)).toEqual([
			'meta/episodes.jsonl is missing; no file lists the episodes, so they are read from the data files as they come.',
			'meta/episodes_stats.jsonl is missing; the lengths that meta/episodes.jsonl does not give are unknown.',
			'meta/tasks.jsonl is missing; frames have no task names.',
		]);
	});

	test('that are too many broken ones, or one without an end, cost neither words nor memory', async () => {
		await writeLerobotV21Dataset(dataset);
		await editLines('meta/tasks.jsonl', lines => [
			...Array<string>(50).fill('no json'),
			'x'.repeat(9 * 1024 * 1024),
			...lines,
		]);
		const taken = await take();
		expect(taken.messages).toHaveLength(21);
		expect(taken.messages.at(-1)).toBe('meta/tasks.jsonl has 31 more lines that cannot be read.');
		expect(taken.episodes[0]?.task).toBe('pick the cube');
	});
});

describe('a v2.0 dataset', () => {
	const asV20 = async () => {
		await rm(path.join(dataset, 'meta/episodes_stats.jsonl'));
		await writeFile(path.join(dataset, 'meta/stats.json'), '{}');
		await editInfo(dataset, info => {
			info.codebase_version = 'v2.0';
		});
	};

	test('is read as v2.1 is, and its episodes need no statistics', async () => {
		await writeLerobotV21Dataset(dataset, four);
		const newer = await take();
		await asV20();
		const taken = await take();
		expect(taken.messages).toEqual([]);
		expect(taken.dataset).toMatchObject({format: 'v2.0'});
		expect(taken.episodes).toEqual(newer.episodes);
	});

	test('without its list of episodes is read from the data files, and no other file is missed', async () => {
		await writeLerobotV21Dataset(dataset, four);
		await asV20();
		await rm(path.join(dataset, 'meta/episodes.jsonl'));
		const {messages, episodes} = await take();
		expect(indicesOf({episodes} as never)).toEqual([0, 1, 2, 3]);
		expect(messages.some(message => message.includes('episodes_stats'))).toBe(false);
	});
});
