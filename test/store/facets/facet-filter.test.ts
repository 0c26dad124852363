import {expect, test} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {print} from '../../../source/query/print.ts';
import {
	canBePicked,
	pickedValues,
	pickOnly,
	togglePicked,
	withPicked,
} from '../../../source/store/facets/facet-lines.ts';
import {facetIds} from '../../../source/store/facets/facets-state.ts';

test('a pick adds a value, a second one takes it away, and the line says both', () => {
	const one = togglePicked(noFilter, 'task', 'fold the towel');
	const two = togglePicked(one, 'task', 'wipe');
	expect(print(two)).toBe('task:"fold the towel",wipe');
	expect(print(togglePicked(two, 'task', 'fold the towel'))).toBe('task:wipe');
});

test('only this drops the others of its facet and leaves the other facets alone', () => {
	const filter = togglePicked(togglePicked(noFilter, 'tier', 'retrainable'), 'task', 'wipe');
	expect(print(pickOnly(filter, 'task', 'fold'))).toBe('tier:retrainable task:fold');
	expect(print(pickOnly(pickOnly(filter, 'task', 'fold'), 'task', 'fold'))).toBe('tier:retrainable');
});

test('a pick lets a value in that was left out, and leaves the others out', () => {
	const filter = {...noFilter, not: {tasks: ['wipe', 'pour'], tags: ['night']}};
	expect(print(togglePicked(filter, 'task', 'wipe'))).toBe('task:wipe -task:pour -tag:night');
	expect(print(pickOnly(filter, 'tag', 'night'))).toBe('tag:night -task:wipe,pour');
});

test('the empty tier is one that can be picked, an unknown one is not', () => {
	expect(print(togglePicked(noFilter, 'tier', ''))).toBe('tier:none');
	expect(canBePicked('tier', 'gold')).toBe(false);
	expect(togglePicked(noFilter, 'tier', 'gold').tiers).toEqual([]);
});

test('every facet edits its own part of the filter', () => {
	for (const facet of facetIds) {
		const value = facet === 'tier' ? 'retrainable' : 'x';
		const filter = withPicked(noFilter, facet, [value]);
		expect(facetIds.map(other => pickedValues(filter, other))).toEqual(
			facetIds.map(other => (other === facet ? [value] : [])),
		);
	}
});

test('no more values are asked for than a request may hold', () => {
	const values = Array.from({length: 600}, (_, index) => `task ${index}`);
	expect(withPicked(noFilter, 'task', values).tasks).toHaveLength(512);
});
