import {expect, test} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {
	columnChoices,
	freeMetrics,
	moveColumn,
	toggleColumn,
} from '../../../source/panes/episodes/column-chooser.tsx';

test('a column is shown after the others, and hidden again; the last one stays', () => {
	expect(toggleColumn(['index', 'task'], 'tier')).toEqual(['index', 'task', 'tier']);
	expect(toggleColumn(['index', 'task'], 'index')).toEqual(['task']);
	expect(toggleColumn(['task'], 'task')).toEqual(['task']);
});

test('a shown column moves one place, and not past the ends', () => {
	expect(moveColumn(['index', 'task', 'tier'], 'task', 1)).toEqual(['index', 'tier', 'task']);
	expect(moveColumn(['index', 'task', 'tier'], 'task', -1)).toEqual(['task', 'index', 'tier']);
	const first = ['index', 'task'];
	expect(moveColumn(first, 'index', -1)).toBe(first);
	expect(moveColumn(first, 'tags', 1)).toBe(first);
});

test('the chooser lists the shown ones in their order, then the others, each once', () => {
	const choices = columnChoices(['tier', 'index'], ['own_metric', 'sparc']);
	expect(choices.slice(0, 2).map(({column}) => column.id)).toEqual(['tier', 'index']);
	const ids = choices.map(({column}) => column.id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).toContain('own_metric');
	expect(choices.filter(({isChosen}) => isChosen)).toHaveLength(2);
});

test('metrics that are a word or a number can be columns', () => {
	const metrics = {force: 1, note: 'x', flag: true, list: [1], nested: {}, ['n'.repeat(99)]: 1};
	expect(freeMetrics({metrics} as unknown as LakeEpisode)).toEqual(['flag', 'force', 'note']);
	expect(freeMetrics(undefined)).toEqual([]);
});
