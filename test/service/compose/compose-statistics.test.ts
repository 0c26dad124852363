import {execFileSync} from 'node:child_process';
import {readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {findDamage} from '../../../source/lerobot/check/find-damage.ts';
import {ReadDatabase} from '../../../source/lerobot/read-database.ts';
import {trimDataset} from '../../../source/service/augmentation/trim-dataset.ts';
import {composeDataset} from '../../../source/service/compose/compose-dataset.ts';
import type {ComposeWork} from '../../../source/service/compose/compose-messages.ts';
import {Ffmpeg} from '../../../source/service/ffmpeg/ffmpeg.ts';
import {rewriteParquet} from '../../support/dataset-damage.ts';
import {canFilm, film, filmOf} from '../../support/films.ts';
import {episodesFile, writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {videoFileV21, writeLerobotV21Dataset} from '../../support/lerobot-v21-dataset.ts';
import {readParquet} from '../../support/parquet.ts';
import {ingest, inWorkFolders} from '../ingest/ingest-run.ts';
import {addPictures, camera as front, plain} from '../support/pictures.ts';
import {chosen} from './chosen.ts';
import {expectRules} from './dataset-rules.ts';

const top = 'observation.images.top';
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '2', '-bf', '0'];
const absent = canFilm('libx264') ? '' : ' (skipped: no ffmpeg with libx264 on this machine)';
const filmed = test.skipIf(absent !== '');
let root: string;
inWorkFolders(folder => {
	root = folder.root;
});

type Row = Record<string, unknown>;
type Stats = Record<string, number[]>;
const shares: Record<string, number> = {q01: 0.01, q10: 0.1, q50: 0.5, q90: 0.9, q99: 0.99};

async function compose(name: string, parents: ComposeWork['parents'], ffmpeg?: Ffmpeg) {
	const target = path.join(root, 'made', name, name);
	const summary = await composeDataset({target, name, left_out: [], parents}, () => undefined, ffmpeg);
	return {target, summary};
}

const flat = (value: unknown): number[] => [value].flat(5).map(Number);

/** The statistics of some numbers, straight from what each of them is. */
function plainly(numbers: readonly number[]): Record<string, number> {
	const sorted = Float64Array.from(numbers).sort();
	const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length;
	const quantile = (share: number) => {
		const place = share * (sorted.length - 1);
		const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
		return low + (high - low) * (place % 1);
	};
	return {
		min: sorted[0] ?? 0,
		max: sorted.at(-1) ?? 0,
		mean,
		std: Math.sqrt(sorted.reduce((sum, each) => sum + (each - mean) ** 2, 0) / sorted.length),
		...Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, quantile(share)])),
	};
}

function expectClose(found: (stat: string) => readonly number[], dims: readonly (readonly number[])[]): void {
	for (const [dim, numbers] of dims.entries()) {
		for (const [stat, expected] of Object.entries(plainly(numbers))) {
			const scale = Math.max(1, Math.abs(expected));
			expect((found(stat)[dim] ?? Number.NaN) / scale, `${stat} of dimension ${dim}`).toBeCloseTo(
				expected / scale,
				9,
			);
		}
	}
}

const statsFile = async (target: string) =>
	JSON.parse(await readFile(path.join(target, 'meta/stats.json'), 'utf8')) as Record<string, Stats>;

/** Every number of a dataset against its statistics, of each episode and of all. */
async function expectStatistics(target: string): Promise<readonly Row[]> {
	const {info, frames, episodes} = await expectRules(target);
	const stats = await statsFile(target);
	for (const [key, {dtype, shape}] of Object.entries(info.features)) {
		if (['string', 'video', 'image'].includes(dtype)) continue;
		const dimsOf = (rows: readonly Row[]) =>
			Array.from({length: shape[0] ?? 1}, (_, dim) => rows.map(row => flat(row[key])[dim] ?? Number.NaN));
		expectClose(stat => flat(stats[key]?.[stat]), dimsOf(frames));
		expect(stats[key]?.count).toEqual([frames.length]);
		for (const episode of episodes) {
			const own = frames.slice(Number(episode.dataset_from_index), Number(episode.dataset_to_index));
			expectClose(stat => flat(episode[`stats/${key}/${stat}`]), dimsOf(own));
		}
	}
	return episodes;
}

/** The films here are smaller than the fixture declares its cameras, and no file of it names its codec. */
const ofFixture = ['camera-shape-differs'];

/** Damages that `check` finds in a dataset on disk, those of the fixture left out. */
async function damages(folder: string): Promise<readonly string[]> {
	const spillFolder = path.join(root, 'spill');
	const database = await ReadDatabase.open({folders: [folder, root], memoryLimit: '500MB', spillFolder});
	try {
		return (await findDamage(database, folder))
			.filter(({id, severity}) => severity !== 'lerobot-rule' && !ofFixture.includes(id))
			.map(({id, message}) => `${id}: ${message}`);
	} finally {
		database.close();
	}
}

/** The named episodes of a dataset in any folder, as a composition asks for them. */
async function taken(folder: string, indices: readonly number[]): Promise<ComposeWork['parents'][number]> {
	const {episodes} = await ingest(folder, root);
	return {
		folder,
		dataset_name: path.basename(folder),
		ordinal: 0,
		episodes: indices.map(at => ({episode_index: at, revision: String(episodes[at]?.revision)})),
	};
}

test('statistics of parents of both formats are those of all frames, quantiles too; so are those of what is composed of it', async () => {
	const telemetry = {effort: 2, 'next.reward': 1};
	// Episodes that lie far apart: quantiles of the episodes say nothing about those of all.
	const far = (at: number) => ({
		frames: 70 + 40 * at,
		action: (frame: number, dim: number) => 100 * at * (dim + 1) + Math.sin(frame * (dim + 2)),
		telemetry: (_: string, frame: number, dim: number) => (frame % 7) * (dim + at),
	});
	await writeLerobotDataset(path.join(root, 'new'), {telemetry, episodes: [far(0), far(1), far(2)]});
	await writeLerobotV21Dataset(path.join(root, 'old'), {telemetry, episodes: [far(3), far(9)]});
	const parents = [await chosen(root, 'new', [0, 2]), await chosen(root, 'old', [0, 1])];
	const {target, summary} = await compose('both', parents);
	expect(summary.camera_stats_note).toBeNull();
	await expectStatistics(target);
	const again = await compose('again', [await taken(target, [0, 1, 2, 3]), await chosen(root, 'new', [1])]);
	await expectStatistics(again.target);
	const fewer = await compose('fewer', [await taken(target, [0, 1, 3])]);
	await expectStatistics(fewer.target);
	for (const made of [target, again.target, fewer.target]) expect(await damages(made)).toEqual([]);
});

/** The places in an episode whose pictures LeRobot looks at, as its source has it. */
function looked(frames: number): number[] {
	const count = Math.max(Math.min(100, frames), Math.min(Math.trunc(frames ** 0.75), 10_000));
	const all = Array.from({length: count}, (_, place) => (place * (frames - 1)) / (count - 1));
	return all.map(at => (at % 1 === 0.5 ? 2 * Math.round(at / 2) : Math.round(at)));
}

type Size = readonly [width: number, height: number];
const small: Size = [32, 24];

/** The channels of the frames of a video that LeRobot looks at, every pixel or every so manieth. */
function channelsOf(file: string, [width, height]: Size, from: number, frames: number): number[][] {
	const bytes = execFileSync(
		'ffmpeg',
		['-v', 'error', '-i', file, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'],
		{
			maxBuffer: 1e9,
		},
	);
	const stride = Math.max(width, height) < 300 ? 1 : Math.trunc(Math.max(width, height) / 150);
	const channels: number[][] = [[], [], []];
	for (const frame of looked(frames)) {
		for (let y = 0; y < height; y += stride) {
			for (let x = 0; x < width; x += stride) {
				const at = ((from + frame) * height * width + y * width + x) * 3;
				for (const [channel, values] of channels.entries()) values.push((bytes[at + channel] ?? 0) / 255);
			}
		}
	}
	return channels;
}

const cameraOf = (row: Row, camera: string) => (stat: string) => flat(row[`stats/${camera}/${stat}`]);

filmed(
	'pictures of cameras that the parents say nothing of are sampled as LeRobot samples them',
	async () => {
		const ffmpeg = await Ffmpeg.find();
		const lengths = [31, 120, 24];
		await writeLerobotDataset(path.join(root, 'new'), {
			cameras: [top],
			videosInRow: true,
			episodes: lengths.map(frames => ({frames})),
		});
		film(filmOf(path.join(root, 'new'), top), 175, x264, '32x24');
		await writeLerobotV21Dataset(path.join(root, 'old'), {cameras: [top], episodes: [{frames: 4}]});
		const large: Size = [320, 240];
		film(path.join(root, 'old', videoFileV21(0, top)), 4, x264, '320x240');
		const {target, summary} = await compose(
			'seen',
			[await chosen(root, 'new', [1, 2]), await chosen(root, 'old', [0])],
			ffmpeg,
		);
		expect(summary.camera_stats_note).toBeNull();
		const episodes = await expectStatistics(target);
		const parts = [
			channelsOf(filmOf(path.join(root, 'new'), top), small, 31, 120),
			channelsOf(filmOf(path.join(root, 'new'), top), small, 151, 24),
			channelsOf(path.join(root, 'old', videoFileV21(0, top)), large, 0, 4),
		];
		for (const [place, part] of parts.entries()) expectClose(cameraOf(episodes[place] ?? {}, top), part);
		expect(episodes.map(row => flat(row[`stats/${top}/count`]))).toEqual([[100], [24], [4]]);
		const stats = await statsFile(target);
		const [mean] = stats[top]?.mean ?? [];
		expect(mean).toEqual([[expect.any(Number)]]);
		expect(stats[top]?.count).toEqual([128]);
		const all = [0, 1, 2].map(channel => parts.flatMap(part => part[channel] ?? []));
		for (const [channel, values] of all.entries()) {
			for (const stat of ['min', 'max', ...Object.keys(shares)]) {
				expect(flat(stats[top]?.[stat])[channel], stat).toBeCloseTo(plainly(values)[stat] ?? 0, 9);
			}
		}
		// Means are weighted by pictures, as LeRobot does, not by the pixels that each was thinned to.
		const counts = [100, 24, 4];
		const means = parts.map(part => plainly(part[0] ?? []).mean ?? 0);
		const weighted = means.reduce((sum, each, at) => sum + each * (counts[at] ?? 0), 0) / 128;
		expect(flat(stats[top]?.mean)[0]).toBeCloseTo(weighted, 9);

		// Without ffmpeg the next one has what this one says of its episodes.
		const again = await compose('again', [await taken(target, [0, 2])]);
		expect(again.summary.camera_stats_note).toBeNull();
		const rows = await expectStatistics(again.target);
		for (const made of [target, again.target]) expect(await damages(made)).toEqual([]);
		for (const stat of ['min', 'max', 'mean', 'std', 'count', ...Object.keys(shares)]) {
			expect(cameraOf(rows[1] ?? {}, top)(stat)).toEqual(cameraOf(episodes[2] ?? {}, top)(stat));
		}
		await writeLerobotDataset(path.join(root, 'cubes'), {
			cameras: [top],
			videosInRow: true,
			episodes: [
				{frames: 120, action: frame => Math.min(Math.max(frame - 40, 0), 30), state: frame => frame},
			],
		});
		film(filmOf(path.join(root, 'cubes'), top), 120, x264, '32x24');
		const trimmed = path.join(root, 'made', 'trimmed', 'cubes-trimmed');
		const request = {folder: path.join(root, 'cubes'), dataset_name: 'cubes', target: trimmed, ordinal: 0};
		const problems: string[] = [];
		await trimDataset(request, {progress: () => {}, problem: ({message}) => problems.push(message)}, ffmpeg);
		expect(problems).toEqual([]);
		const [kept] = await readParquet(path.join(trimmed, episodesFile));
		expect(await damages(trimmed)).toEqual([]);
		const first = Math.round(Number(kept?.[`videos/${top}/from_timestamp`]) * 30);
		expect(first).toBeGreaterThan(0);
		expectClose(
			cameraOf(kept ?? {}, top),
			channelsOf(filmOf(path.join(root, 'cubes'), top), small, first, Number(kept?.length)),
		);
	},
);

const picture = (numbers: readonly number[]) =>
	`[${numbers.map(number => `[[${number}::DOUBLE]]`).join(', ')}]`;
const names = ['min', 'q01', 'q10', 'q50', 'q90', 'q99', 'max', 'mean', 'std'] as const;

/** Statistics of a picture that is brighter from name to name. */
const told = (base: number): Record<(typeof names)[number], number[]> =>
	Object.fromEntries(
		names.map((name, at) => [name, [0, 1, 2].map(dim => base + at * 0.02 + dim * 0.001)]),
	) as never;

test('what the parents say of the cameras of each episode is taken over, and put together for all', async () => {
	await writeLerobotDataset(path.join(root, 'new'), {cameras: [top], episodes: [{frames: 60}, {frames: 60}]});
	const columns = names.map(
		name =>
			`CASE episode_index WHEN 0 THEN ${picture(told(0.1)[name])} ELSE ${picture(told(0.3)[name])} END AS "stats/${top}/${name}"`,
	);
	// Counted in pixels, as where videos are encoded while recording.
	await rewriteParquet(
		path.join(root, 'new'),
		episodesFile,
		`SELECT *, ${columns.join(', ')}, [60 * 19200] AS "stats/${top}/count" FROM old`,
	);
	await writeLerobotV21Dataset(path.join(root, 'old'), {
		cameras: [top],
		episodes: [{frames: 30}, {frames: 30}],
	});
	const nested = Object.fromEntries(names.map(name => [name, told(0.5)[name].map(each => [[each]])]));
	const lines = [0, 1].map(episode_index =>
		JSON.stringify({episode_index, stats: {[top]: {...nested, count: [30]}}}),
	);
	await writeFile(path.join(root, 'old/meta/episodes_stats.jsonl'), `${lines.join('\n')}\n`);
	const {target, summary} = await compose('told', [
		await chosen(root, 'new', [1]),
		await chosen(root, 'old', [0]),
	]);
	expect(summary.camera_stats_note).toBeNull();
	const episodes = await expectStatistics(target);
	for (const name of names) {
		const of = (base: number) => told(base)[name].map(each => [[expect.closeTo(each, 12)]]);
		expect(episodes.map(row => row[`stats/${top}/${name}`])).toEqual([of(0.3), of(0.5)]);
	}
	expect(episodes.map(row => flat(row[`stats/${top}/count`]))).toEqual([[60], [30]]);
	const whole = (await statsFile(target))[top] ?? {};
	expect(whole.count).toEqual([90]);
	expect(flat(whole.mean)[0]).toBeCloseTo((60 * 0.44 + 30 * 0.64) / 90, 9);
	// Two thirds lie below all others: a tenth of all is 15 % of those.
	expect(flat(whole.q10)[0]).toBeCloseTo(0.34 + (0.02 * (0.15 - 0.1)) / 0.4, 6);
	expect(flat(whole.q99)[0]).toBeCloseTo(0.58 + (0.02 * (0.97 - 0.9)) / 0.09, 6);
});

test('where neither the parents nor ffmpeg tell, a camera has no statistics, and that is said', async () => {
	await writeLerobotDataset(path.join(root, 'new'), {cameras: [top]});
	// One episode of two has them; that of another shape is none.
	await rewriteParquet(
		path.join(root, 'new'),
		episodesFile,
		`SELECT *, CASE episode_index WHEN 0 THEN [[1.0]] END AS "stats/${top}/mean" FROM old`,
	);
	const {target, summary} = await compose('untold', [await chosen(root, 'new', [0, 1])]);
	expect(summary.camera_stats_note).toBe(
		`Not every episode has statistics of the camera ${top}: the parents have none, and their pictures cannot be sampled (ffmpeg is not on the path of the service). LeRobot deletes no episodes of such a dataset, and up to 0.6.1 trains with a camera only where meta/stats.json has it.`,
	);
	const [row] = await expectStatistics(target);
	expect(Object.keys(row ?? {}).filter(name => name.startsWith(`stats/${top}`))).toEqual([]);
	expect(Object.keys(await statsFile(target))).not.toContain(top);
});

test('pictures that lie in the data file are composed as they are, with statistics of what is in them', async () => {
	await writeLerobotDataset(path.join(root, 'pictures'), {episodes: [{frames: 20}, {frames: 30}]});
	const [dark, light] = [await plain(64, 48, [51, 0, 255]), await plain(64, 48, [255, 102, 0])];
	await addPictures(path.join(root, 'pictures'), dark, light);
	const {target} = await compose('shown', [await chosen(root, 'pictures', [1])]);
	const rows = await readParquet(path.join(target, 'data/chunk-000/file-000.parquet'));
	const bytes = (row: Row = {}) => (row[front] as {bytes: Uint8Array}).bytes;
	expect(Buffer.from(bytes(rows[0])).equals(dark)).toBe(true);
	expect(Buffer.from(bytes(rows[29])).equals(light)).toBe(true);
	const {episodes} = await expectRules(target);
	const stats = (await statsFile(target))[front];
	for (const found of [cameraOf(episodes[0] ?? {}, front), (stat: string) => flat(stats?.[stat])]) {
		expect([found('min'), found('max'), found('count')]).toEqual([[0.2, 0, 0], [1, 0.4, 1], [30]]);
		expect(found('mean')[0]).toBeCloseTo((0.2 + 29) / 30, 9);
		expect(found('q50')).toEqual([1, 0.4, 0]);
	}
	const again = await ingest(target, root);
	expect(again.messages).toEqual([]);
	expect(await damages(target)).toEqual([]);
});
