import {expect, test} from 'vitest';
import {type Filter, noFilter} from '../../../source/query/filter.ts';
import {print} from '../../../source/query/print.ts';
import {type ExplorerState, initialState} from '../../../source/store/explorer-state.ts';
import {placeTowards, recorded, stepped} from '../../../source/store/state/history.ts';
import {edited, filtered, moved} from '../../../source/store/state/transitions.ts';
import {listMoved, listOpened, viewed} from '../../../source/store/state/view-transitions.ts';

type Change = (state: ExplorerState) => ExplorerState;

const towel: Filter = {...noFilter, search: 'towel'};
const cups: Filter = {...noFilter, search: 'cups'};
const start = initialState(noFilter, undefined);

/** The state after changes, each noted as the explorer notes it. */
const after = (state: ExplorerState, ...changes: readonly Change[]): ExplorerState =>
	changes.reduce((before, change) => recorded(before, change(before)), state);

const go =
	(direction: 'back' | 'forward'): Change =>
	state => {
		const place = placeTowards(state, direction);
		return place === undefined ? state : stepped(direction, place)(state);
	};

const at = ({view, filter, position}: ExplorerState) => `${view} ${print(filter)} ${position.selected}`;

const toRow = (row: number): Change => moved(() => ({selected: row, offset: row}));

test('back goes through filters and views in turn, to the rows where they were left, and forward again', () => {
	const there = after(start, toRow(40), filtered(towel), toRow(7), viewed('jobs'), filtered(cups));
	expect(at(there)).toBe('jobs cups 0');
	const steps = [there];
	for (let step = 0; step < 3; step++) steps.push(after(steps.at(-1) as ExplorerState, go('back')));
	expect(steps.map(at)).toEqual(['jobs cups 0', 'jobs towel 7', 'explore towel 7', 'explore  40']);
	expect(placeTowards(steps.at(-1) as ExplorerState, 'back')).toBeUndefined();
	const again = after(steps.at(-1) as ExplorerState, go('forward'), go('forward'), go('forward'));
	expect(at(again)).toBe('jobs cups 0');
	expect(placeTowards(again, 'forward')).toBeUndefined();
});

test('a new step forgets what was ahead', () => {
	const state = after(start, filtered(towel), go('back'), filtered(cups));
	expect(placeTowards(state, 'forward')).toBeUndefined();
	expect(at(after(state, go('back')))).toBe('explore  0');
});

test('typing in the line is one step, however often the filter changes meanwhile', () => {
	const typed = after(
		start,
		edited('filter'),
		...['t', 'to', 'tow'].map(search => filtered({...noFilter, search})),
		filtered(towel),
		edited(undefined),
	);
	expect(typed.places.back).toHaveLength(1);
	expect(at(after(typed, go('back')))).toBe('explore  0');
	const next = after(typed, edited('filter'), filtered(cups), edited(undefined));
	expect(next.places.back).toHaveLength(2);
});

test('what was typed and taken back is no step', () => {
	const state = after(start, edited('filter'), filtered(towel), filtered(noFilter), edited(undefined));
	expect(state.places.back).toEqual([]);
});

test('a filter that says the same in other words is no step', () => {
	expect(after(start, filtered({...noFilter})).places.back).toEqual([]);
});

test('opening a row is a step, walking on from it and closing it are none', () => {
	const keys = ['a', 'b', 'c'];
	const down = listMoved('jobs', ({selected, offset}) => ({selected: selected + 1, offset}), keys, 3);
	const opened = after(start, viewed('jobs'), listOpened('jobs', true, keys));
	expect(opened.places.back.map(({view}) => view)).toEqual(['explore', 'jobs']);
	const walked = after(opened, down, listOpened('jobs', true, keys), down);
	expect(walked.places.back).toHaveLength(2);
	const closed = after(walked, listOpened('jobs', false, keys));
	expect(closed.places.back.map(({view}) => view)).toEqual(['explore']);
	const back = after(walked, go('back'), go('forward'));
	expect(back.lists.jobs).toMatchObject({opened: true, cursor: 'c'});
});

test('the history is bounded', () => {
	const many = Array.from({length: 300}, (_, index) => filtered({...noFilter, index}));
	expect(after(start, ...many).places.back).toHaveLength(100);
});
