import {expect, test} from 'vitest';
import {markersOf} from '../../source/lerobot/read-markers.ts';

const episode = (cells: Record<string, unknown[]>) => (column: string) => cells[column];

test('markers are named in the order in which they begin, not in that of the list', () => {
	const cells = {
		dense_subtask_names: ['place', 'reach', 'grasp'],
		dense_subtask_start_frames: [90n, 0n, 40n],
	};
	expect(markersOf(episode(cells))).toEqual(['reach', 'grasp', 'place']);
});

test('times do where there are no frames, and the list itself where there is neither', () => {
	expect(
		markersOf(episode({sparse_subtask_names: ['b', 'a'], sparse_subtask_start_times: [1.5, 0.25]})),
	).toEqual(['a', 'b']);
	expect(markersOf(episode({sparse_subtask_names: ['b', 'a']}))).toEqual(['b', 'a']);
});

test('the coarse markers win over the fine ones; an empty list is none', () => {
	const fine = {dense_subtask_names: ['x', 'y']};
	expect(markersOf(episode({...fine, sparse_subtask_names: ['whole']}))).toEqual(['whole']);
	expect(markersOf(episode({...fine, sparse_subtask_names: []}))).toEqual(['x', 'y']);
	expect(markersOf(episode({}))).toBeUndefined();
});
