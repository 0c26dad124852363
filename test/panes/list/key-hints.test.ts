import {expect, test} from 'vitest';
import type {ActiveBinding} from '../../../source/input/active-bindings.ts';
import {keyHints} from '../../../source/panes/list/key-hints.ts';

const binding = (action: string, key: string, footer: number | undefined): ActiveBinding => ({
	layer: 'x',
	level: 'view',
	action,
	description: `what ${action} does`,
	hint: action.split('.')[1] ?? action,
	category: undefined,
	footer,
	isKept: false,
	together: undefined,
	keys: [[key]],
});

const kept = (binding: ActiveBinding, together?: string): ActiveBinding => ({
	...binding,
	isKept: true,
	together,
});

const bindings = [
	binding('app.quit', 'q', 80),
	kept(binding('app.help', '?', 90)),
	binding('episodes.open', 'enter', 10),
	binding('explore.filter', '/', 30),
	binding('episodes.next', 'j', undefined),
];

const shown = (width: number) => keyHints(bindings, width, {unicode: true}).map(({text}) => text);

test('the most important hints come first, and bindings outside the footer are left out', () => {
	expect(shown(80)).toEqual(['open', 'filter', 'quit', 'help']);
});

test('where room is short, the key for help stays', () => {
	expect(shown(26)).toEqual(['open', 'help']);
	expect(shown(5)).toEqual(['help']);
});

test('the last hint needs no room for a gap behind it', () => {
	expect(shown('enter open   / filter   ? help'.length)).toEqual(['open', 'filter', 'help']);
});

test('a hint too long for the rest of the row gives way to a shorter one', () => {
	expect(shown('enter open   / filter   ? help'.length - 1)).toEqual(['open', 'quit', 'help']);
});

test('after a second hint that is too long, no more are shown', () => {
	const views = [
		binding('view.uploads', '2', 62),
		binding('view.datasets', '4', 64),
		binding('view.jobs', '3', 65),
	];
	const width = 'enter open   3 jobs   ? help'.length;
	const hints = keyHints([...bindings.slice(1, 3), ...views], width, {unicode: true});
	expect(hints.map(({text}) => text)).toEqual(['open', 'help']);
});

const views = (keys: string) =>
	[...keys].map((key, at) => kept(binding(`view.view-${at}`, key, 60 + at), 'views'));
const panes = kept(binding('explore.panes', 'tab', 40));

test('the ways to panes, views and help stand at the end, the views as one', () => {
	const hints = keyHints([...bindings, panes, ...views('124567')], 80, {unicode: true});
	expect(hints.map(({keys, text}) => `${keys} ${text}`)).toEqual([
		'enter open',
		'/ filter',
		'q quit',
		'tab panes',
		'1-7 views',
		'? help',
	]);
	expect(hints[4]?.action).toBe('view.view-0');
});

test('where not even those fit, the first of them are left out', () => {
	const narrow = (width: number) =>
		keyHints([...bindings, panes, ...views('123')], width, {unicode: true}).map(({text}) => text);
	expect(narrow('tab panes   1-3 views   ? help'.length - 1)).toEqual(['filter', 'views', 'help']);
	expect(narrow(8)).toEqual(['help']);
});

test('views whose keys are no longer consecutive digits are named one by one, where there is room', () => {
	const bound = [...views('12'), kept(binding('view.jobs', 'J', 65), 'views')];
	expect(keyHints([...bindings, ...bound], 80, {unicode: true}).map(({text}) => text)).toEqual([
		'open',
		'filter',
		'view-0',
		'view-1',
		'jobs',
		'quit',
		'help',
	]);
});

test('two keys of one word share a hint, and three do not', () => {
	const move = (action: string, key: string, footer: number) => ({
		...binding(action, key, footer),
		together: 'cursor',
	});
	const pair = [move('plots.earlier', 'left', 1), move('plots.later', 'right', 2), ...bindings];
	expect(keyHints(pair, 80, {unicode: true})[0]).toEqual({
		keys: '← →',
		text: 'cursor',
		action: 'plots.earlier',
	});
	const three = [...pair, move('plots.whole', '=', 3)];
	expect(keyHints(three, 80, {unicode: true}).slice(0, 3)).toHaveLength(3);
	expect(keyHints(three, 80, {unicode: true}).map(({text}) => text)).not.toContain('cursor');
});
