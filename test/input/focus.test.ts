import {expect, test} from 'vitest';
import {createFocus} from '../../source/input/focus.ts';

test('focus walks the ring both ways and wraps', () => {
	const focus = createFocus();
	focus.setRing(['facets', 'table', 'detail']);
	expect(focus.getSnapshot()).toBe('facets');
	focus.next();
	expect(focus.getSnapshot()).toBe('table');
	focus.previous();
	focus.previous();
	expect(focus.getSnapshot()).toBe('detail');
});

test('a pane that comes or goes elsewhere does not move the focus', () => {
	const focus = createFocus();
	const moves: (string | undefined)[] = [];
	focus.setRing(['table']);
	focus.subscribe(() => moves.push(focus.getSnapshot()));
	focus.setRing(['facets', 'table', 'detail']);
	focus.setRing(['detail', 'table']);
	expect(focus.getSnapshot()).toBe('table');
	expect(moves).toEqual([]);
});

test('when the focused pane is gone the one before it inherits', () => {
	const focus = createFocus('detail');
	focus.setRing(['facets', 'table', 'detail']);
	expect(focus.getSnapshot()).toBe('detail');
	focus.setRing(['facets', 'table']);
	expect(focus.getSnapshot()).toBe('table');
	focus.setRing([]);
	expect(focus.getSnapshot()).toBeUndefined();
	focus.next();
	expect(focus.getSnapshot()).toBeUndefined();
});

test('a pane focused before it is there gets the focus when it comes', () => {
	const focus = createFocus();
	focus.setRing(['facets', 'table']);
	focus.focus('detail');
	expect(focus.getSnapshot()).toBe('facets');
	focus.setRing(['facets', 'table', 'detail']);
	expect(focus.getSnapshot()).toBe('detail');
});
