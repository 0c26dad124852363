import {expect, test} from 'vitest';
import type {Binding} from '../../source/input/binding.ts';
import {effectiveKeys, findConflicts, readOverrides} from '../../source/input/rebinding.ts';

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
		new Set(['next', 'open', 'quit']),
	);
	expect(overrides).toEqual({next: ['ctrl+n'], quit: []});
	expect(problems.map(({action, key}) => [action, key])).toEqual([
		['next', 'hyper+q'],
		['open', 'bogus'],
		['gone', ''],
	]);
	expect(problems[1]?.message).toMatch(/^keys of open: “bogus” is no key/);
	expect(problems[2]?.message).toBe('there is no action “gone” to rebind');
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
