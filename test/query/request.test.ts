import fc from 'fast-check';
import {expect, test} from 'vitest';
import {exploreRequest} from '../../source/contract/explore.ts';
import {ownExploreRequest} from '../../source/contract/local-explore.ts';
import {noFilter, toExploreRequest} from '../../source/query/filter.ts';
import {arbitraryFilter} from './arbitrary-filter.ts';

const id = '0b9f4a3e-65f1-5f0e-9c4d-0d6f2b8f7a11';

test('every filter becomes a request that the contract allows', () => {
	fc.assert(
		fc.property(arbitraryFilter, filter => {
			const result = toExploreRequest(filter, () => id);
			// What leaves nothing out and names no robot is a request of the interface.
			const isOfInterface = filter.not === undefined && filter.robots.length === 0;
			const contract = isOfInterface ? exploreRequest : ownExploreRequest;
			expect(result.ok && contract.safeParse(result.request).success).toBe(true);
		}),
	);
});

test('a request says what its filter says, and nothing else', () => {
	const filter = {
		...noFilter,
		tasks: ['fold'],
		tiers: ['' as const],
		lineage: 'originals' as const,
		index: 0,
		descending: true,
		search: 'towel',
	};
	expect(toExploreRequest(filter, () => undefined)).toEqual({
		ok: true,
		request: {
			tasks: ['fold'],
			tiers: [''],
			lineage: 'originals',
			episode_index: 0,
			order_desc: true,
			search: 'towel',
		},
	});
	expect(toExploreRequest(noFilter, () => undefined)).toEqual({ok: true, request: {}});
});

test('values that are left out stand in a part of their own, datasets by id', () => {
	const filter = {
		...noFilter,
		tags: ['a'],
		not: {tags: ['b'], reviews: ['rejected' as const], datasets: ['so101']},
	};
	expect(toExploreRequest(filter, name => (name === 'so101' ? id : undefined))).toEqual({
		ok: true,
		request: {tags: ['a'], not: {tags: ['b'], review_states: ['rejected'], dataset_ids: [id]}},
	});
	expect(toExploreRequest(filter, () => undefined)).toEqual({ok: false, unknownDatasets: ['so101']});
});

test('datasets are asked for by id; a name that nobody knows is named', () => {
	const filter = {...noFilter, datasets: [id, 'so101-fold', 'nowhere']};
	const idOf = (name: string) => (name === 'so101-fold' ? id.replace('0b', '1c') : undefined);
	expect(toExploreRequest(filter, idOf)).toEqual({ok: false, unknownDatasets: ['nowhere']});
	expect(toExploreRequest({...filter, datasets: [id, 'so101-fold']}, idOf)).toEqual({
		ok: true,
		request: {dataset_ids: [id, id.replace('0b', '1c')]},
	});
});
