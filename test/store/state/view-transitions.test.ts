import {expect, test} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {initialState} from '../../../source/store/explorer-state.ts';
import {movedBy} from '../../../source/store/state/list-location.ts';
import {
	asked,
	listMoved,
	listOpened,
	listSearched,
	listTargeted,
	viewed,
} from '../../../source/store/state/view-transitions.ts';

const start = initialState(noFilter, undefined);
const step =
	(by: number) => (position: Parameters<typeof movedBy>[0], extent: Parameters<typeof movedBy>[2]) =>
		movedBy(position, by, extent);

test('what was opened stays opened when a newer row comes above it', () => {
	const opened = listOpened('events', true, ['9', '8'])(start);
	expect(opened.lists.events).toMatchObject({cursor: '9', opened: true});
});

test('nothing is opened of an empty list', () => {
	expect(listOpened('uploads', true, [])(start).lists.uploads.opened).toBe(false);
});

test('the detail of another row begins at its beginning', () => {
	const scrolled = listTargeted('events', undefined, 4)(start);
	expect(scrolled.lists.events.scroll).toBe(4);
	expect(listMoved('events', step(1), ['b', 'a'], 5)(scrolled).lists.events.scroll).toBe(0);
});

test('a search begins at the first row, and views keep their places apart', () => {
	const moved = listMoved('events', step(1), ['b', 'a'], 5)(viewed('events')(start));
	const searched = listSearched('uploads', 'x')(moved);
	expect(searched.lists.events.cursor).toBe('a');
	expect(searched.lists.uploads).toMatchObject({search: 'x', cursor: undefined});
});

test('a question lies over the panes until it is answered', () => {
	const question = {title: 'Stop?', lines: [], yes: 'stop it', agree: () => undefined};
	const open = asked(question)(start);
	expect(open).toMatchObject({overlay: 'question', question});
	expect(asked(undefined)(open)).toMatchObject({overlay: undefined, question: undefined});
});
