import {expect, test} from 'vitest';
import {exploreRequest} from '../../../../source/contract/explore.ts';
import {datasetListQuery} from '../../../../source/contract/listing.ts';
import {histogramRequest} from '../../../../source/contract/local-distribution.ts';
import {LakeError} from '../../../../source/service/lake/engine.ts';
import {dataset, episode, uuidOf} from '../lake-model.ts';
import type {TestLakes} from '../test-lake.ts';

const unknown = uuidOf(0xd, 999);
const revision = (digit: string) => digit.repeat(64);

/** Single datasets and episodes: what every engine of the lake must do. */
export function lookupConformance(lakes: TestLakes): void {
	test('an empty lake answers everything with nothing', async () => {
		const {lake} = await lakes.open();
		expect(await lake.explore(exploreRequest.parse({}))).toMatchObject({total: 0, episodes: []});
		expect((await lake.datasets(datasetListQuery.parse({}))).items).toEqual([]);
		expect(await lake.channels()).toEqual({items: [], more: false});
		expect(await lake.histogram(histogramRequest.parse({of: {field: 'duration_s'}}))).toMatchObject({
			count: 0,
			missing: 0,
			min: null,
			bins: [],
		});
		expect(await lake.totals()).toMatchObject({datasets: 0, episodes: 0, frames: 0, duration: 0});
		expect([await lake.details('a'), await lake.dataset('a'), await lake.datasetById(unknown)]).toEqual([
			undefined,
			undefined,
			undefined,
		]);
		expect([await lake.recordings([unknown]), await lake.rejectedOf('a')]).toEqual([[], []]);
		expect([await lake.place(unknown), await lake.nextOrdinal('a')]).toEqual([undefined, 0]);
		expect(await lake.remove(unknown)).toBe(false);
		await lake.review([{datasetName: 'a', revision: revision('a'), episodeIndex: 0, state: 'rejected'}]);
	});

	test('a dataset is found by its name, of any script, and by its id in either case', async () => {
		const name = 'Tassen stapeln – 杯子 "1"';
		const {lake} = await lakes.open({...dataset(name, [episode(0)]), robot_type: null}, dataset('b', []));
		const held = await lake.dataset(name);
		const id = held?.dataset_id ?? '';
		expect(await lake.datasetById(id)).toEqual(held);
		const details = await lake.details(name);
		expect(details).toMatchObject({dataset_id: id, dataset_name: name, robot_type: null, fps: 30});
		expect(await lake.details(id.toUpperCase())).toEqual(details);
	});

	test('an episode lies where its dataset does; its task may be missing', async () => {
		const {lake} = await lakes.open(
			dataset('a', [episode(3, {revision: revision('c'), task: null}), episode(4, {task: 'Stapeln – 叠'})]),
		);
		const held = await lake.dataset('a');
		expect(await lake.place(uuidOf(0xe, 3))).toEqual({
			episode_id: uuidOf(0xe, 3),
			dataset_name: 'a',
			dataset_version_id: held?.dataset_version_id,
			folder: '/recordings/a',
			episode_index: 3,
			revision: revision('c'),
			task: null,
			siblings: [],
		});
		expect((await lake.place(uuidOf(0xe, 4)))?.task).toBe('Stapeln – 叠');
		expect(await lake.place(unknown)).toBeUndefined();
	});

	test('recordings are those that the lake holds, in its order; rejected ones are found by their dataset', async () => {
		const {lake} = await lakes.open(
			dataset('b', [episode(0, {episode_id: uuidOf(0xb, 0), revision: revision('b')})]),
			dataset('a', [episode(2, {revision: revision('2')}), episode(1, {revision: revision('1')})]),
		);
		const ids = [uuidOf(0xb, 0), uuidOf(0xe, 2), unknown, uuidOf(0xe, 1)];
		expect((await lake.recordings(ids)).map(each => [each.dataset_name, each.episode_index])).toEqual([
			['a', 1],
			['a', 2],
			['b', 0],
		]);
		expect((await lake.recordings([uuidOf(0xe, 2)]))[0]).toMatchObject({
			revision: revision('2'),
			review_state: 'unreviewed',
		});
		expect(await lake.recordings([])).toEqual([]);
		const reject = (digit: string) => ({
			datasetName: 'a',
			revision: revision(digit),
			episodeIndex: 0,
			state: 'rejected',
		});
		await lake.review([reject('2'), reject('1'), reject('b')]);
		expect([await lake.rejectedOf('a'), await lake.rejectedOf('b')]).toEqual([[1, 2], []]);
	});

	test('the next child of a dataset comes after the last, whichever dataset that lies in', async () => {
		const child = (index: number, member_ordinal: bigint) =>
			episode(index, {
				parent_dataset: 'parents',
				parent_episode_index: 0,
				member_ordinal,
				episode_id: uuidOf(0xc, index),
			});
		const {lake} = await lakes.open(
			dataset('parents', [episode(0)]),
			dataset('one', [child(0, 4n)]),
			dataset('two', [child(1, 2n)]),
		);
		expect(await lake.nextOrdinal('parents')).toBe(5);
		expect(await lake.nextOrdinal('one')).toBe(0);
	});

	test('episodes that a sort holds equal keep the lake’s order, page by page', async () => {
		const alike = Array.from({length: 30}, (_, index) => episode(index, {quality_score: null}));
		const lake = await lakes.open(dataset('a', alike));
		const pages = [];
		for (let offset = 0; offset < 30; offset += 7) {
			const {episodes} = await lake.explore({limit: 7, offset});
			pages.push(...episodes.map(({episode_index}) => episode_index));
		}
		expect(pages).toEqual(alike.map(({episode_index}) => episode_index));
	});

	test('a lake that was closed says so, however often it is closed', async () => {
		const {lake} = await lakes.open(dataset('a', [episode(0)]));
		await Promise.all([lake.close(), lake.close()]);
		const failure = await lake.totals().catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(LakeError);
		expect(failure).toMatchObject({reason: 'closed'});
	});
}
