import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fromRequest, toExploreRequest} from '../../source/query/filter.ts';
import {arbitraryFilter} from './arbitrary-filter.ts';

test('a filter made a request and read back asks for the same', () => {
	fc.assert(
		fc.property(arbitraryFilter, filter => {
			const id = '0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10';
			const there = toExploreRequest(filter, () => id);
			if (!there.ok) throw new Error('every name has an id here');
			const back = toExploreRequest(fromRequest(there.request), () => undefined);
			expect(back).toEqual(there);
		}),
	);
});
