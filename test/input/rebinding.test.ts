import {expect, test} from 'vitest';
import type {Binding} from '../../source/input/binding.ts';
import {actionNames, effectiveKeys, findConflicts, readOverrides} from '../../source/input/rebinding.ts';
import {createRouter, watchConflicts} from '../../source/input/router.ts';

const bind = (action: string, keys: readonly string[], more: Partial<Binding> = {}): Binding => ({
	action,
	keys,
	description: action,
	run: () => undefined,
	...more,
});

test('an override takes the place of the keys, an empty one takes them away', () => {
	const next = bind('next', ['j', 'down']);
	expect(effectiveKeys(next, {})).toEqual([['j'], ['down']]);
	expect(effectiveKeys(next, {next: ['Ctrl+N', 'g n']})).toEqual([['ctrl+n'], ['g', 'n']]);
	expect(effectiveKeys(next, {next: []})).toEqual([]);
});

test('what cannot be used is named, and the rest is used', () => {
	const {overrides, problems} = readOverrides(
		{next: ['ctrl+n', 'hyper+q'], open: 'bogus', gone: 'x', quit: []},
		actionNames(['next', 'open', 'quit']),
	);
	expect(overrides).toEqual({next: ['ctrl+n'], quit: []});
	expect(problems.map(({action, key}) => [action, key])).toEqual([
		['next', 'hyper+q'],
		['open', 'bogus'],
		['gone', ''],
	]);
	expect(problems[1]?.message).toMatch(/^keys of open: “bogus” is not a key/);
	expect(problems[2]?.message).toBe('there is no action “gone” to rebind; there are next, open, quit');
});

test('two actions on one key, and a key that begins another’s chord, are conflicts', () => {
	const bindings = [
		bind('next', ['j']),
		bind('top', ['g g']),
		bind('delete', ['x'], {when: () => true}),
		bind('cut', ['x']),
	];
	expect(findConflicts(bindings, {})).toEqual([]);
	const conflicts = findConflicts([...bindings, bind('go', ['g']), bind('jump', ['x'])], {cut: ['j']});
	expect(conflicts.map(({action, key}) => [action, key])).toEqual([
		['cut', 'j'],
		['go', 'g'],
	]);
	expect(conflicts[0]?.message).toBe('“j” of cut is taken by next (“j”)');
});

test('keys that the session keeps for itself are not given away', () => {
	const {overrides, problems} = readOverrides({'app.quit': ['ctrl+c', 'ctrl+q']});
	expect(overrides).toEqual({'app.quit': ['ctrl+q']});
	expect(problems.map(({message}) => message)).toEqual([
		'keys of app.quit: “ctrl+c” always means the same: ^C quits, ^Z suspends, ^L draws anew',
	]);
});

test('two overrides of one pane on one key are told before the pane is drawn', () => {
	const {problems} = readOverrides({'jobs.stop': 'd', 'jobs.follow': ['f', 'd'], 'uploads.follow': 'd'});
	expect(problems.map(({message}) => message)).toEqual(['“d” of jobs.follow is taken by jobs.stop (“d”)']);
});

test('a conflict with the user’s keys is told once, in whatever pane it is; others’ sharing is meant', async () => {
	const router = createRouter();
	const told: string[] = [];
	router.add({id: 'app', level: 'global', bindings: [bind('app.quit', ['q']), bind('app.help', ['?'])]});
	const table = router.add({id: 'table', level: 'pane', bindings: [bind('table.next', ['j', '?'])]});
	const overrides = {'table.next': ['q', 'n']};
	router.setOverrides(overrides);
	watchConflicts(router, overrides, message => told.push(message));
	expect(told).toEqual(['“q” of app.quit is taken by table.next (“q”)']);
	table.remove();
	router.add({id: 'other', level: 'pane', bindings: [bind('other.next', ['?'])]});
	router.add({id: 'table', level: 'pane', bindings: [bind('table.next', ['j'])]});
	await Promise.resolve();
	expect(told).toHaveLength(1);
});
