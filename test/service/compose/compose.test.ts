import {mkdir, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {composeRecord} from '../../../source/contract/local-compose.ts';
import {writeLerobotDataset} from '../../support/lerobot-dataset.ts';
import {readParquet} from '../../support/parquet.ts';
import {armDataset, siblings} from '../support/arm-dataset.ts';
import {type Address, call} from '../support/call.ts';
import {exploreLocally, idOf, ingestFolder} from '../support/ingesting.ts';
import {endProcessesOver, processesOver, serviceHome} from '../support/service-home.ts';
import {expectRules} from './dataset-rules.ts';

const home = serviceHome();
const front = 'observation.images.front';

async function order(service: Address, name: string, ids: readonly string[]) {
	const answer = await call(service, '/local/v1/compose', {body: {name, episode_ids: ids}});
	return {status: answer.status, text: answer.text, json: answer.json};
}

async function composed(service: Address, name: string, ids: readonly string[]) {
	const answer = await order(service, name, ids);
	expect([answer.status, answer.text]).toEqual([202, expect.anything()]);
	return ended(service, composeRecord.parse(answer.json()).operation_id);
}

async function ended(service: Address, id: string) {
	const record = async () => composeRecord.parse((await call(service, `/local/v1/compose/${id}`)).json());
	await expect.poll(async () => (await record()).status.done, {timeout: 60_000, interval: 20}).toBe(true);
	return record();
}

/** What lies in the lake's folder of composed datasets. */
const leftIn = (lake: string) => readdir(path.join(lake, 'composed')).catch(() => []);

async function writeVideo(folder: string, content: string): Promise<void> {
	const file = path.join(folder, 'videos', front, 'chunk-000', 'file-000.mp4');
	await mkdir(path.dirname(file), {recursive: true});
	await writeFile(file, content);
}

/** The frames of one episode without what numbers them. */
async function framesOf(folder: string, index: number) {
	const rows = await readParquet(path.join(folder, 'data/chunk-000/file-000.parquet'));
	return rows
		.filter(row => Number(row.episode_index) === index)
		.map(({index: _, episode_index: __, task_index: ___, ...rest}) => rest);
}

test('a dataset composed of episodes of several equals its parents frame by frame, and keeps every rule of the format', async () => {
	const root = home.root;
	const one = await armDataset(path.join(root, 'one'), siblings(5), {cameras: [front]});
	const two = await armDataset(
		path.join(root, 'two'),
		siblings(4).with(2, {reach: 70, task: 'Wipe the table'}),
		{cameras: [front]},
	);
	await writeVideo(one, 'the video of one');
	await writeVideo(two, 'the video of two');
	const lake = home.lake();
	const service = await home.join(lake);
	await ingestFolder(service, one);
	await ingestFolder(service, two);
	const {episodes} = await exploreLocally(service);
	const chosen = [
		['two', 2],
		['one', 4],
		['one', 1],
		['two', 0],
	] as const;
	const record = await composed(
		service,
		'best',
		chosen.map(([name, index]) => idOf(episodes, index, name)),
	);
	expect(record.status).toMatchObject({phase: 'finalized', generation: 1, episode_count: 4});
	expect(record.parents.map(({dataset_name, episodes}) => [dataset_name, episodes])).toEqual([
		['one', 2],
		['two', 2],
	]);
	expect(record.summary).toMatchObject({episodes: 4, videos: 2, videos_absent: 0});

	const {info, episodes: listed} = await expectRules(record.folder);
	expect(info.total_tasks).toBe(2);
	const inOrder = [
		[one, 'one', 1],
		[one, 'one', 4],
		[two, 'two', 0],
		[two, 'two', 2],
	] as const;
	for (const [at, [folder, name, index]] of inOrder.entries()) {
		expect(await framesOf(record.folder, at)).toEqual(await framesOf(folder, index));
		expect(listed[at]).toMatchObject({
			'lakescope/parent_dataset': name,
			'lakescope/parent_episode_index': index,
		});
	}
	expect(listed[3]?.tasks).toEqual(['Wipe the table']);
	const video = (number: number) =>
		readFile(path.join(record.folder, 'videos', front, 'chunk-000', `file-00${number}.mp4`), 'utf8');
	expect([await video(0), await video(1)]).toEqual(['the video of one', 'the video of two']);
	expect(listed.map(row => Number(row[`videos/${front}/file_index`]))).toEqual([0, 0, 1, 1]);

	// Read back by the ingest, each has its parent's content, and the lake knows whose child it is.
	const after = (await exploreLocally(service)).episodes;
	const children = after.filter(({dataset_name}) => dataset_name === 'best');
	for (const [at, [, name, index]] of inOrder.entries()) {
		const parent = after.find(row => row.dataset_name === name && row.episode_index === index);
		expect(children[at]).toMatchObject({
			parent_episode_id: parent?.episode_id,
			episode_revision_id: parent?.episode_revision_id,
			member_ordinal: 0,
			frame_count: parent?.frame_count,
		});
	}
	expect(await readFile(path.join(record.folder, 'README.md'), 'utf8')).toContain('`one`: 1, 4');
	const again = await composed(service, 'best-again', [idOf(episodes, 1, 'one')]);
	const [second] = (await exploreLocally(service)).episodes.filter(row => row.dataset_name === 'best-again');
	expect([again.status.phase, second?.member_ordinal]).toEqual(['finalized', 1]);
});

test('what cannot be composed is refused: a name that is taken, another embodiment, episodes that are not there', async () => {
	const root = path.join(home.root, 'refused');
	const one = await armDataset(path.join(root, 'arm'), siblings(2));
	const two = await armDataset(path.join(root, 'other'), siblings(2), {robotType: 'koch', cameras: [front]});
	const service = await home.join(home.lake());
	await ingestFolder(service, one);
	await ingestFolder(service, two);
	const {episodes} = await exploreLocally(service);
	const ids = episodes.map(({episode_id}) => episode_id);
	const different = await order(service, 'mixed', ids);
	expect(different.status).toBe(422);
	expect(different.json<{detail: {msg: string}[]}>().detail.map(({msg}) => msg)).toEqual([
		'Layouts differ: robot_type is "so101_follower" in arm and "koch" in other',
		`Layouts differ: other has a feature "${front}" and arm has none`,
	]);
	const arm = [idOf(episodes, 0, 'arm')];
	expect(await order(service, 'other', arm)).toMatchObject({
		status: 409,
		text: expect.stringContaining('The name other is taken'),
	});
	const stranger = '0b5e55ed-0000-4000-8000-000000000000';
	expect(await order(service, 'new', [...arm, stranger])).toMatchObject({
		status: 404,
		text: expect.stringContaining(stranger),
	});
	expect((await order(service, '../up', arm)).status).toBe(422);
	expect((await call(service, `/local/v1/compose/${stranger}`)).status).toBe(404);
	const absent = await composed(service, 'without', [idOf(episodes, 1, 'other')]);
	expect(absent.summary).toMatchObject({videos: 0, videos_absent: 1});
	expect(absent.problems[0]?.message).toContain('videos');
});

test('an order of the same id and name is the same order; of another name its id is taken', async () => {
	const folder = await armDataset(path.join(home.root, 'ordered'), siblings(3));
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const {episodes} = await exploreLocally(service);
	const operation_id = '00000000-0000-4000-8000-0000000000AB';
	const ask = (name: string) =>
		call(service, '/local/v1/compose', {body: {name, episode_ids: [idOf(episodes, 0)], operation_id}});
	expect((await call(service, `/local/v1/compose/${operation_id}`)).status).toBe(404);
	const [first, second] = [await ask('twice'), await ask('twice')];
	const id = operation_id.toLowerCase();
	expect([first, second].map(({status, json}) => [status, composeRecord.parse(json()).operation_id])).toEqual(
		[
			[202, id],
			[202, id],
		],
	);
	expect((await ask('another')).status).toBe(409);
	expect((await ended(service, id)).status.phase).toBe('finalized');
	expect((await ask('twice')).status).toBe(202);
	expect((await exploreLocally(service)).total).toBe(4);
});

test('what fails or is cancelled leaves nothing half-written, and says why', async () => {
	const folder = path.join(home.root, 'changing');
	await armDataset(folder, siblings(3));
	const lake = home.lake();
	const service = await home.join(lake);
	await ingestFolder(service, folder);
	const {episodes} = await exploreLocally(service);
	const ids = episodes.map(({episode_id}) => episode_id);

	// The disk does not take it: where datasets are composed there is something in the way.
	await writeFile(path.join(lake, 'composed'), '');
	const unwritten = await composed(service, 'unwritten', ids);
	expect(unwritten.status).toMatchObject({phase: 'failed', message: expect.stringContaining('unwritten')});
	await rm(path.join(lake, 'composed'));

	await rm(folder, {recursive: true});
	await armDataset(folder, siblings(3).with(1, {reach: 90}));
	const changed = await composed(service, 'changed', ids);
	expect(changed.status).toMatchObject({
		phase: 'failed',
		message: expect.stringMatching(/Episode 1 of changing .* it is not as it was ingested/),
	});
	expect(await leftIn(lake)).toEqual([]);

	await ingestFolder(service, folder);
	const current = (await exploreLocally(service)).episodes.map(({episode_id}) => episode_id);
	const answer = await order(service, 'given-up', current);
	const {operation_id} = composeRecord.parse(answer.json());
	const cancel = await call(service, `/local/v1/compose/${operation_id}/cancel`, {method: 'POST'});
	// On a machine quick enough it is finished before it can be given up.
	if (cancel.status === 200) {
		expect(composeRecord.parse(cancel.json()).status).toMatchObject({
			phase: 'failed',
			message: 'It was cancelled.',
		});
		await expect.poll(() => leftIn(lake)).toEqual([]);
		expect((await exploreLocally(service)).total).toBe(3);
	} else {
		expect(cancel.status).toBe(409);
	}
	const done = await composed(service, 'kept', current);
	expect(done.status.phase).toBe('finalized');
	expect((await stat(done.folder)).isDirectory()).toBe(true);
	expect(
		(await call(service, `/local/v1/compose/${done.operation_id}/cancel`, {method: 'POST'})).status,
	).toBe(409);
});

/** Says of episodes what a person decided. */
async function review(service: Address, ids: readonly string[], review_state: string): Promise<void> {
	const answer = await call(service, '/local/v1/reviews', {body: {episode_ids: ids, review_state}});
	expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

test('rejected episodes are left out of a composed dataset, and how many is said; asked for, they stay rejected in it', async () => {
	// Of fifteen one is far too long: with two siblings in the composed dataset nobody could tell.
	const folder = await armDataset(path.join(home.root, 'judged'), [...siblings(14), {seconds: 11}]);
	const lake = home.lake();
	const service = await home.join(lake);
	await ingestFolder(service, folder);
	const {episodes} = await exploreLocally(service);
	const id = (index: number) => idOf(episodes, index, 'judged');
	await review(service, [id(2), id(14)], 'rejected');
	await review(service, [id(3)], 'human_audited');

	const ids = [1, 2, 3, 14].map(id);
	const without = await composed(service, 'without-them', ids);
	expect(without).toMatchObject({rejected_left_out: 2, episode_count: 2, summary: {episodes: 2}});
	const answer = await call(service, '/local/v1/compose', {
		body: {name: 'with-them', episode_ids: ids, include_rejected: true},
	});
	const whole = await ended(service, composeRecord.parse(answer.json()).operation_id);
	expect(whole).toMatchObject({rejected_left_out: 0, episode_count: 4, status: {phase: 'finalized'}});
	const none = await order(service, 'nothing', [id(2)]);
	expect([none.status, none.text]).toEqual([422, expect.stringContaining('The episode is rejected')]);

	const children = async (of: Address, name: string) =>
		(await exploreLocally(of)).episodes.filter(({dataset_name}) => dataset_name === name);
	const marks = async (of: Address, name: string) =>
		(await children(of, name)).map(({parent_episode_index, review_state}) => [
			parent_episode_index,
			review_state,
		]);
	const parentOf1 = episodes.find(({episode_id}) => episode_id === id(1))?.review_state;
	expect(await marks(service, 'without-them')).toEqual([
		[1, parentOf1],
		[3, 'human_audited'],
	]);
	const begun = [
		[1, parentOf1],
		[2, 'rejected'],
		[3, 'human_audited'],
		[14, 'rejected'],
	];
	expect(await marks(service, 'with-them')).toEqual(begun);
	const parent = episodes.find(({episode_id}) => episode_id === id(14));
	const child = (await children(service, 'with-them'))[3];
	expect(parent?.tags).toContain('too-long');
	expect(child?.tags).toEqual(parent?.tags);
	for (const key of ['doubt', 'suspect_reasons', 'siblings']) {
		expect(child?.metrics?.[key]).toEqual(parent?.metrics?.[key]);
	}
	expect(child?.metrics).not.toHaveProperty('siblings_note');

	// What is decided of the child is its own: it outlives an ingest of either, and a service that is killed.
	await review(service, [child?.episode_id ?? ''], 'unreviewed');
	expect((await marks(service, 'with-them'))[3]).toEqual([14, 'unreviewed']);
	await ingestFolder(service, whole.folder);
	await ingestFolder(service, folder);
	expect(await marks(service, 'with-them')).toEqual(begun.with(3, [14, 'unreviewed']));
	expect((await children(service, 'with-them'))[3]?.tags).toContain('suspect');
	endProcessesOver(lake);
	await expect.poll(() => processesOver(lake)).toEqual([]);
	const next = await home.join(lake);
	expect(await marks(next, 'with-them')).toEqual(begun.with(3, [14, 'unreviewed']));
});

test('a child that was composed without a feature keeps what is known of its parent; one of another motion begins anew', async () => {
	const one = path.join(home.root, 'with-load');
	const two = path.join(home.root, 'without-load');
	await writeLerobotDataset(one, {telemetry: {load: 1}, episodes: [{frames: 40}, {frames: 50}]});
	// Its second is the first of the other, but for the feature that goes.
	await writeLerobotDataset(two, {episodes: [{frames: 45}, {frames: 40}]});
	const service = await home.join(home.lake());
	await ingestFolder(service, one);
	await ingestFolder(service, two);
	const {episodes} = await exploreLocally(service);
	const audited = [
		idOf(episodes, 0, 'with-load'),
		idOf(episodes, 1, 'with-load'),
		idOf(episodes, 1, 'without-load'),
	];
	await review(service, audited, 'human_audited');
	const ids = episodes.map(({episode_id}) => episode_id);
	const record = await composed(service, 'mixed', ids);
	expect(record.features_left_out).toEqual(['load']);
	const states = async () =>
		(await exploreLocally(service)).episodes
			.filter(({dataset_name}) => dataset_name === 'mixed')
			.map(({review_state}) => review_state);
	// Nobody has marked the third: what is said of it is what its new siblings make of it.
	expect(await states()).toEqual([
		'human_audited',
		'human_audited',
		expect.not.stringMatching(/human/),
		'human_audited',
	]);

	// Its second episode is cut short: that is another recording.
	await rm(one, {recursive: true});
	await writeLerobotDataset(one, {telemetry: {load: 1}, episodes: [{frames: 40}, {frames: 30}]});
	await ingestFolder(service, one);
	const anew = (await exploreLocally(service)).episodes.filter(row => row.dataset_name === 'with-load');
	expect(anew.map(({review_state}) => review_state)).toEqual([
		'human_audited',
		expect.not.stringMatching(/human/),
	]);
	const again = await composed(service, 'again', [idOf(anew, 1)]);
	expect(again.status.phase).toBe('finalized');
	const [child] = (await exploreLocally(service)).episodes.filter(row => row.dataset_name === 'again');
	expect(child?.review_state).toBe(anew[1]?.review_state);
});
