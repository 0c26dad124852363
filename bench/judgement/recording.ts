import {existsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {findDataColumns} from '../../source/lerobot/read-data-columns.ts';
import {readDataFile} from '../../source/lerobot/read-data-file.ts';
import {ReadDatabase} from '../../source/lerobot/read-database.ts';
import {openDataset, readIndex} from '../../source/lerobot/read-dataset.ts';
import {createRandom, type Random} from '../../source/sample/random.ts';
import {streamPlan} from '../../source/service/ingest/stream-plan.ts';
import type {Base, BenchEpisode} from './arms.ts';

type Recording = {readonly fps: number; readonly names: readonly string[]; readonly episodes: BenchEpisode[]};

/** Reads the episodes of a real dataset; undefined where the folder holds none. */
async function readRecording(folder: string): Promise<Recording | undefined> {
	if (!existsSync(path.join(folder, 'meta/info.json'))) return undefined;
	const dataset = await openDataset(folder);
	const database = await ReadDatabase.open({
		folders: [folder],
		memoryLimit: '512MB',
		spillFolder: path.join(tmpdir(), 'lakescope-bench-spill'),
	});
	try {
		const index = await readIndex(database, dataset, () => undefined);
		const plan = streamPlan(dataset.layout);
		const place = (wanted: string) => plan.wanted.findIndex(({stream}) => stream === wanted);
		const episodes: BenchEpisode[] = [];
		for (const file of index.dataFiles) {
			const absolute = path.join(dataset.root, file);
			const columns = await findDataColumns(database, absolute, plan.wanted, plan.expected);
			for await (const {signals, frames} of readDataFile(database, absolute, columns)) {
				const [action, state] = [signals[place('action')], signals[place('state')]];
				if (!action || !state) continue;
				episodes.push({
					action: Float32Array.from(action),
					state: Float32Array.from(state),
					frames,
					task: 'Recorded',
				});
			}
		}
		return {fps: dataset.info.fps, names: dataset.layout.action?.names ?? [], episodes};
	} finally {
		database.close();
	}
}

/** A follower as real ones are: two frames of delay, then a first-order lag of two. */
function follow(action: Float32Array, frames: number): Float32Array {
	const dims = action.length / frames;
	const state = new Float32Array(action.length);
	for (let joint = 0; joint < dims; joint++) {
		let value = action[joint] as number;
		for (let frame = 0; frame < frames; frame++) {
			value += 0.4 * ((action[Math.max(0, frame - 2) * dims + joint] as number) - value);
			state[frame * dims + joint] = value;
		}
	}
	return state;
}

/** A recorded episode at another pace, a little bent, scaled and moved: action and state alike. */
function warped(
	{action, state, frames, task}: BenchEpisode,
	scales: readonly number[],
	random: Random,
): BenchEpisode {
	const dims = action.length / frames;
	const length = Math.max(60, Math.round(frames * Math.exp(random.normal(0, 0.1))));
	const bends = [1, 2, 3].map(wave => ({wave, by: random.normal(0, 0.02)}));
	const joints = scales.map(scale => ({
		gain: 1 + random.normal(0, 0.015),
		shift: scale * random.normal(0, 0.008),
	}));
	const result = {action: new Float32Array(length * dims), state: new Float32Array(length * dims)};
	for (let frame = 0; frame < length; frame++) {
		const share = frame / (length - 1);
		const bent = bends.reduce((sum, {wave, by}) => sum + by * Math.sin(Math.PI * wave * share), share);
		const at = Math.min(frames - 1, Math.max(0, bent * (frames - 1)));
		const before = Math.floor(at);
		const after = Math.min(frames - 1, before + 1);
		for (let joint = 0; joint < dims; joint++) {
			const {gain, shift} = joints[joint] as (typeof joints)[number];
			for (const [stream, values] of [
				['action', action],
				['state', state],
			] as const) {
				const low = values[before * dims + joint] as number;
				const high = values[after * dims + joint] as number;
				result[stream][frame * dims + joint] = gain * (low + (high - low) * (at - before)) + shift;
			}
		}
	}
	return {...result, frames: length, task};
}

/** The 90 % range of each joint over some episodes. */
export function spansOf(episodes: readonly BenchEpisode[], dims: number): number[] {
	return Array.from({length: dims}, (_, joint) => {
		const values: number[] = [];
		for (const {action, frames} of episodes)
			for (let frame = 0; frame < frames; frame += 7) values.push(action[frame * dims + joint] as number);
		values.sort((a, b) => a - b);
		return (
			(values[Math.floor(values.length * 0.95)] as number) -
			(values[Math.floor(values.length * 0.05)] as number)
		);
	});
}

/** Some of what was recorded, in warped copies where there is less than is asked for. */
export async function recordedBase(
	folder: string,
	seed: string,
	episodes: number,
): Promise<Base | undefined> {
	const recording = await readRecording(folder);
	if (!recording || recording.episodes.length === 0) return undefined;
	const random = createRandom(`${seed}/${path.basename(folder)}`);
	const {fps, names} = recording;
	const dims = names.length;
	const scales = spansOf(recording.episodes, dims);
	const usual = recording.episodes.map(({frames}) => frames).sort((a, b) => a - b)[
		recording.episodes.length >> 1
	] as number;
	const fit = recording.episodes.filter(({frames}) => frames > usual / 2 && frames < usual * 2);
	const make = (count: number) =>
		Array.from({length: count}, (_, at) => warped(fit[at % fit.length] as BenchEpisode, scales, random));
	const grippers = names.flatMap((name, joint) =>
		/grip|Thumb|Index/i.test(name) && (scales[joint] as number) > 0 ? [joint] : [],
	);
	return {
		name: `${path.basename(folder)}, ${recording.episodes.length} recorded episodes, warped copies`,
		fps,
		names,
		grippers: grippers.slice(-1),
		episodes: make(episodes),
		// No other task was recorded: the same arms, played backwards and turned about.
		others: make(30).map(episode => ({
			...episode,
			action: turned(episode.action, dims),
			state: turned(episode.state, dims),
		})),
		follow,
	};
}

/** Joints of neighbours exchanged: another motion within the same ranges. */
function turned(values: Float32Array, dims: number): Float32Array {
	return values.map((_, at) => values[at - (at % dims) + (((at % dims) + 1) % dims)] as number);
}
