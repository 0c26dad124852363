import path from 'node:path';
import {expect, test} from 'vitest';
import {declaredActions} from '../../build/action-names.ts';
import {actionNames} from '../../source/input/rebinding.ts';

const declared = await declaredActions(path.resolve(import.meta.dirname, '../..'));
const known = actionNames(declared);

test.each([
	'app.quit',
	'episodes.open',
	'episodes.next',
	'episodes.half-page-down',
	'episodes.copy',
	'explore.filter',
	'view.jobs',
	'uploads.open',
	'uploads.next',
	'jobs-detail.leave',
	'list-field.search',
	'palette.next',
	'help.close',
])('the build finds %s in the source', action => {
	expect(known.has(action)).toBe(true);
});

test.each(['episodes.nxt', 'episods.next', 'quit', 'app.', '', 'episodes', '*.open'])(
	'“%s” is none',
	action => {
		expect(known.has(action)).toBe(false);
	},
);

test('beside a name stand those of the same pane', () => {
	expect(known.beside('app.exit')).toEqual(expect.arrayContaining(['app.help', 'app.mouse', 'app.quit']));
	expect(known.beside('app.exit').every(name => name.startsWith('app.'))).toBe(true);
});
