import {expect, test} from 'vitest';
import {datasetListQuery, datasetListResponse} from '../../../../source/contract/listing.ts';
import type {DatasetSort} from '../../../../source/contract/vocabulary.ts';
import {dataset, episode} from '../lake-model.ts';
import type {TestLake, TestLakes} from '../test-lake.ts';

async function list(lake: TestLake, query: Record<string, unknown> = {}) {
	return datasetListResponse.parse(await lake.lake.datasets(datasetListQuery.parse(query)));
}

/** All pages of a listing, by name. */
async function names(lake: TestLake, sort: DatasetSort, limit: number): Promise<string> {
	const found: string[] = [];
	let cursor: string | undefined;
	do {
		const {items, page_info} = await list(lake, {sort, limit, ...(cursor ? {cursor} : {})});
		found.push(...items.map(({path}) => path.replace('local/', '')));
		cursor = page_info.has_next ? (page_info.end_cursor ?? undefined) : undefined;
	} while (cursor !== undefined);
	return found.join(' ');
}

/** The dataset listing: what every engine of the lake must do. */
export function datasetListConformance(lakes: TestLakes): void {
	test('datasets are listed page by page in every order', async () => {
		const lake = await lakes.open(
			dataset('m', [episode(0)]),
			dataset('a', [episode(0)]),
			dataset('z', [episode(0)]),
			dataset('k', [episode(0)]),
		);
		await lake.publish(dataset('a', [episode(0), episode(1)]));
		for (const limit of [1, 2, 3, 4, 20]) {
			expect(await names(lake, 'newest', limit)).toBe('k z a m');
			expect(await names(lake, 'oldest', limit)).toBe('m a z k');
			expect(await names(lake, 'updated', limit)).toBe('a k z m');
			expect(await names(lake, 'name', limit)).toBe('a k m z');
		}
	});

	test('a dataset that comes between two pages neither repeats nor hides another', async () => {
		const lake = await lakes.open(dataset('b', []), dataset('d', []), dataset('f', []));
		const first = await list(lake, {sort: 'name', limit: 2});
		await lake.publish(dataset('a', []), dataset('e', []));
		const second = await list(lake, {sort: 'name', limit: 5, cursor: first.page_info.end_cursor});
		expect(second.items.map(({path}) => path)).toEqual(['local/e', 'local/f']);
		expect(second.page_info).toMatchObject({has_next: false, total_count: 5});
	});

	test('an item says what the dataset is and where it lies', async () => {
		const held = dataset('cups', [episode(0), episode(1)]);
		const lake = await lakes.open(held);
		const [published] = await lake.publish(held);
		const {items, page_info} = await list(lake);
		expect(page_info).toMatchObject({has_next: false, total_count: 1});
		expect(items).toMatchObject([
			{
				artifact_id: held.dataset_id,
				subtype: 'lerobot_v3',
				path: 'local/cups',
				jobs: [],
				metadata: {
					dataset_version_id: published?.dataset_version_id,
					generation: 2,
					episodes: 2,
					frames: 600,
					fps: 30,
					robot_type: 'so101_follower',
					cameras: ['observation.images.front'],
					folder: '/recordings/cups',
					problems: [],
				},
			},
		]);
		expect((items[0]?.updated_at ?? '') >= (items[0]?.created_at ?? '')).toBe(true);
	});

	test('filters narrow the list and its count', async () => {
		const lake = await lakes.open(dataset('Cups_1', []), dataset('cups-2', []), dataset('towel', []));
		const total = async (query: Record<string, unknown>) => (await list(lake, query)).page_info.total_count;
		expect(await total({search: 'CUPS'})).toBe(2);
		expect(await total({search: 'cups_'})).toBe(1);
		expect(await total({search: 'local/t'})).toBe(1);
		expect(await total({dataset_type: 'lerobot_v3'})).toBe(3);
		expect(await total({dataset_type: 'sarm_progress'})).toBe(0);
		expect(await total({direction: 'input'})).toBe(0);
		expect(await total({job_id: '00000000-0000-4000-8000-000000000000'})).toBe(0);
	});

	test('a cursor that the list did not give is refused', async () => {
		const lake = await lakes.open(dataset('a', []), dataset('b', []));
		const given = (await list(lake, {sort: 'name', limit: 1})).page_info.end_cursor;
		for (const query of [
			{cursor: 'nonsense'},
			{cursor: ''},
			{cursor: Buffer.from('[1,2]').toString('base64url')},
			{cursor: Buffer.from('["newest","a day","a"]').toString('base64url'), sort: 'newest'},
		]) {
			const refusal = {reason: 'cursor', message: expect.stringContaining('none that this list gave')};
			await expect(list(lake, query)).rejects.toMatchObject(refusal);
		}
		await expect(list(lake, {cursor: given, sort: 'newest'})).rejects.toMatchObject({
			reason: 'cursor',
			message: expect.stringContaining('sorted by name, not newest'),
		});
	});
}
