import {readdirSync, readFileSync} from 'node:fs';
import {rename, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {episodeSeries} from '../../source/contract/local-series.ts';
import {writeDataset} from '../../source/lerobot/write-dataset.ts';
import {SeriesWorker} from '../../source/service/series/series-worker.ts';
import {annotate} from '../support/language.ts';
import {risingProgress, writeProgress} from '../support/reward-progress.ts';
import {armDataset, siblings} from './support/arm-dataset.ts';
import {type Address, call} from './support/call.ts';
import {exploreLocally, idOf, ingestFolder} from './support/ingesting.ts';
import {serviceHome} from './support/service-home.ts';

const home = serviceHome();

async function series(service: Address, id: string, query = '') {
	const answer = await call(service, `/local/v1/episodes/${id}/series${query}`);
	expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
	return {bytes: answer.text.length, ...episodeSeries.parse(answer.json())};
}

const ids = async (service: Address) => (await exploreLocally(service)).episodes;

/** The process that reads series for a service. */
function readerOf(pid: number): number | undefined {
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.map(Number)
		.find(each => {
			try {
				const parent = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
				return parent === String(pid) && readFileSync(`/proc/${each}/cmdline`, 'utf8').includes('series');
			} catch {
				return false;
			}
		});
}

test('an episode over time: channels in buckets, speed, pauses, and its siblings beside it', async () => {
	const folder = await armDataset(path.join(home.root, 'series'), siblings(10));
	await writeProgress(folder, risingProgress);
	await annotate(folder, [
		{episode: 3, at: 0, style: 'subtask', content: 'reach'},
		{episode: 3, at: 1.5, style: 'subtask', content: 'push'},
	]);
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const episodes = await ids(service);
	const id = idOf(episodes, 3, 'series');
	const drawn = await series(service, id, '?width=40');
	expect(drawn).toMatchObject({episode_id: id, dataset_name: 'series', episode_index: 3, fps: 30, width: 40});
	expect(drawn.channels.map(({stream, channel}) => `${stream}.${channel}`)).toEqual([
		'action.shoulder_pan.pos',
		'action.elbow_flex.pos',
		'action.gripper.pos',
	]);
	const [pan] = drawn.channels;
	expect(pan?.min).toHaveLength(40);
	expect(pan?.low).toBe(0);
	// Its reach is 61.03, and the greatest frame is among some bucket's.
	expect(pan?.high).toBeCloseTo(61.03, 1);
	expect(Math.max(...(pan?.max ?? []).map(value => value ?? 0))).toBe(pan?.high);
	expect(pan?.max[0]).toBe(0);
	// The arm rests for the first and the last 15 %.
	expect(drawn.pauses).toHaveLength(2);
	expect(drawn.pauses[0]?.from).toBe(0);
	expect(drawn.pauses[1]?.to).toBeCloseTo(drawn.seconds, 0);
	expect(drawn.siblings).toMatchObject({task: 'Push the block', episodes: 10, seconds: 4});
	expect(drawn.siblings?.speed).toHaveLength(48);
	expect(drawn.siblings?.channels[0]).toMatchObject({name: 'shoulder_pan.pos', usual_low: 0});
	expect(drawn.progress).toBeNull();
	expect(drawn.markers).toEqual([
		{name: 'reach', from: 0, to: 1.5},
		{name: 'push', from: 1.5, to: drawn.seconds},
	]);
	expect(drawn.bytes).toBeLessThan(8000);

	const chosen = await series(service, id, '?channels=state.gripper.pos,action.gripper.pos&width=5');
	expect(chosen.channels.map(({stream}) => stream)).toEqual(['state', 'action']);
	expect(await series(service, id, '?channels=["state.gripper.pos"]&width=5')).toMatchObject({
		channels: [{stream: 'state', channel: 'gripper.pos'}],
	});
	expect((await series(service, id, '?channels=&width=5')).channels).toEqual([]);
	// A part of it, to the frame: as the whole has it there.
	const one = await series(service, id, '?width=2000');
	const part = await series(service, id, '?width=2000&from=30&until=50');
	expect(part).toMatchObject({from: 30, until: 50, width: 20, frames: one.frames});
	expect(part.channels[0]?.max).toEqual(one.channels[0]?.max.slice(30, 50));
	expect(part.speed?.max).toEqual(one.speed?.max.slice(30, 50));
	expect(part.channels[0]?.high).toBe(one.channels[0]?.high);
	const beyond = await series(service, id, `?width=5&from=${one.frames - 2}&until=100000`);
	expect(beyond).toMatchObject({until: one.frames, width: 2});
	expect(beyond.speed?.max).toHaveLength(2);
	expect(one.width).toBe(one.frames);
	expect(one.channels[0]?.min).toEqual(one.channels[0]?.max);

	// A reward model's progress stands beside it, as far as it goes: its first frame has none in the sparse head.
	const {progress} = await series(service, idOf(episodes, 1, 'series'), '?width=10');
	expect(progress?.sparse?.min[0]).toBeCloseTo(1 / 49, 4);
	expect(progress?.sparse?.max[9]).toBe(1);
	expect(progress?.dense?.max[9]).toBeCloseTo(0.5, 4);

	// A reader that is killed costs no more than the series at hand.
	const reader = readerOf(service.pid);
	expect(reader).toBeGreaterThan(0);
	process.kill(reader ?? 0, 'SIGKILL');
	await expect.poll(() => readerOf(service.pid)).toBeUndefined();
	expect((await series(service, idOf(episodes, 2, 'series'))).episode_index).toBe(2);
	expect(readerOf(service.pid)).not.toBe(reader);
});

test('20,000 frames of 34 channels come in a few kilobytes, and quickly once the reader is there', async () => {
	const frames = 20_000;
	const dims = 34;
	const names = Array.from({length: dims}, (_, dim) => `joint_${dim}`);
	const values = Float32Array.from(
		{length: frames * dims},
		(_, place) => Math.sin(place / 1000) + (place % dims),
	);
	const feature = {dtype: 'float32', shape: [dims], names};
	const folder = path.join(home.root, 'long');
	await writeDataset(
		folder,
		{robotType: 'humanoid', fps: 50, features: {action: feature, 'observation.state': feature}},
		[0, 1].map(shift => ({
			length: frames,
			tasks: ['Walk'],
			values: {action: values.map(value => value + shift), 'observation.state': values},
			videos: {},
		})),
	);
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const episodes = await ids(service);
	const all = names.map(name => `action.${name}`).join(',');
	await series(service, idOf(episodes, 0));
	const began = performance.now();
	const drawn = await series(service, idOf(episodes, 1), `?channels=${all}&width=100`);
	// Some 150 ms on an idle machine.
	expect(performance.now() - began).toBeLessThan(10_000);
	expect(drawn.channels).toHaveLength(dims);
	expect(drawn.frames).toBe(frames);
	const few = await series(service, idOf(episodes, 1), '?channels=action.joint_0,action.joint_33&width=100');
	expect(few.bytes).toBeLessThan(8000);
	// Users' parquet is read by a process of its own.
	expect(readerOf(service.pid)).toBeGreaterThan(0);
});

test('what cannot be drawn is said with the reason: unknown, gone, changed, no such channel', async () => {
	const folder = await armDataset(path.join(home.root, 'moved'), siblings(3));
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const id = idOf(await ids(service), 1);
	const ask = async (query = '') => {
		const answer = await call(service, `/local/v1/episodes/${id}/series${query}`);
		return {status: answer.status, text: answer.text};
	};
	const stranger = await call(service, '/local/v1/episodes/0b5e55ed-0000-4000-8000-000000000000/series');
	expect([stranger.status, stranger.text]).toEqual([404, expect.stringContaining('no episode')]);
	expect((await call(service, '/local/v1/episodes/x/series')).status).toBe(422);
	expect(await ask('?channels=action.elbow')).toMatchObject({
		status: 422,
		text: expect.stringContaining('It has action.shoulder_pan.pos, action.elbow_flex.pos'),
	});
	expect((await ask('?width=0')).status).toBe(422);
	expect((await ask('?channels=[1]')).status).toBe(422);
	expect((await ask()).status).toBe(200);

	await rename(folder, `${folder}-away`);
	expect(await ask('?width=7')).toMatchObject({
		status: 404,
		text: expect.stringContaining(`${folder} is gone`),
	});
	await armDataset(folder, siblings(3).with(1, {reach: 80}));
	expect(await ask('?width=7')).toMatchObject({
		status: 409,
		text: expect.stringContaining(`lakescope ingest ${folder}`),
	});
	await writeFile(path.join(folder, 'data/chunk-000/file-000.parquet'), 'PAR1 and then nothing');
	expect((await ask('?width=7')).status).toBe(409);
});

test('of what was answered nothing is kept between requests, by whichever process it was', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const worker = new SeriesWorker({memoryBytes: 2 ** 30});
	const replies: WeakRef<object>[] = [];
	const askOnce = async (nth: number) => {
		const reply = await worker.ask({
			folder: path.join(home.root, `nowhere-${nth}`),
			episode_index: 0,
			revision: 'r',
			scratch: path.join(home.root, 'scratch'),
			series: {width: 5},
		});
		expect(reply.type).toBe('refused');
		replies.push(new WeakRef(reply));
	};
	try {
		for (let nth = 0; nth < 100; nth++) await askOnce(nth);
		expect(worker.waiting).toBe(0);
		// The process is there for the next one: what is kept for its end must not be what it answered.
		await expect
			.poll(() => {
				collect();
				return replies.filter(reply => reply.deref() !== undefined).length;
			})
			.toBeLessThanOrEqual(2);
	} finally {
		await worker.close();
	}
});
