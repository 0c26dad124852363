import {expect, test} from 'vitest';
import {type Binding, pass} from '../../source/input/binding.ts';
import {parseKeys} from '../../source/input/key-name.ts';
import type {Layer} from '../../source/input/layer-stack.ts';
import {createRouter, type Settle} from '../../source/input/router.ts';
import type {KeyEvent} from '../../source/terminal/input-event.ts';

/** The event of a key by name, typing what such a key types. */
function press(name: string): KeyEvent {
	const [key = ''] = parseKeys(name);
	const typed = key === 'space' ? ' ' : [...key].length === 1 ? key : '';
	return {type: 'key', key, text: typed, sequence: typed};
}

function recorder() {
	const log: string[] = [];
	const bind = (keys: string | readonly string[], action: string, more: Partial<Binding> = {}): Binding => ({
		keys: typeof keys === 'string' ? [keys] : keys,
		action,
		description: action,
		run: () => log.push(action),
		...more,
	});
	const layer = (
		level: Layer['level'],
		id: string,
		bindings: readonly Binding[],
		more: Partial<Layer> = {},
	) => ({
		level,
		id,
		bindings,
		...more,
	});
	return {log, bind, layer};
}

test('a key goes to the topmost layer that binds it, whatever the order they came in', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('dialog', 'confirm', [bind('enter', 'confirm.yes')]));
	router.add(layer('pane', 'table', [bind('enter', 'table.open'), bind('j', 'table.next')]));
	router.add(layer('global', 'global', [bind('j', 'global.j'), bind('q', 'quit')]));
	router.dispatch(['enter', 'j', 'q', 'x'].map(press));
	expect(log).toEqual(['confirm.yes', 'table.next', 'quit']);
});

test('within a level the layer that came last lies on top, and gives the keys back when it goes', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('dialog', 'first', [bind('y', 'first')]));
	const second = router.add(layer('dialog', 'second', [bind('y', 'second')]));
	router.dispatch(press('y'));
	second.remove();
	router.dispatch(press('y'));
	expect(log).toEqual(['second', 'first']);
});

test('nothing below a modal layer hears a key, a paste or the mouse', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('pane', 'filter', [], {text: () => log.push('text'), mouse: () => log.push('mouse')}));
	router.add(layer('global', 'global', [bind('ctrl+c', 'quit')]));
	router.add(layer('dialog', 'help', [bind('esc', 'close')], {modal: true}));
	router.dispatch([press('a'), press('ctrl+c'), {type: 'paste', text: 'x', truncated: false}, press('esc')]);
	router.dispatch({
		type: 'mouse',
		action: 'press',
		button: 'left',
		column: 1,
		row: 1,
		ctrl: false,
		alt: false,
		shift: false,
	});
	expect(log).toEqual(['close']);
});

test('a field takes every key that types and every paste, and lets the others through', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('global', 'global', [bind('q', 'quit'), bind('ctrl+c', 'quit'), bind('left', 'back')]));
	router.add(
		layer('pane', 'filter', [bind('esc', 'leave'), bind('q', 'never')], {
			text(event) {
				if (event.type === 'paste') log.push(`paste ${event.text}`);
				else if (event.text !== '') log.push(`type ${event.text}`);
				else return event.key === 'left';
				return undefined;
			},
		}),
	);
	router.dispatch(['q', 'space', 'left', 'esc', 'ctrl+c'].map(press));
	router.dispatch({type: 'paste', text: 'quit', truncated: false});
	expect(log).toEqual(['type q', 'type  ', 'leave', 'quit', 'paste quit']);
});

test('a field inside a dialog lies above it although it is mounted before it', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('dialog', 'field', [], {text: () => log.push('typed'), within: 'form'}));
	router.add(layer('dialog', 'form', [bind('x', 'form.x')], {modal: true}));
	router.dispatch(press('x'));
	expect(log).toEqual(['typed']);
});

test('a binding that declines, or may not now, leaves the key to the layers below', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	let isRunning = false;
	router.add(layer('global', 'global', [bind('x', 'global.x')]));
	router.add(layer('pane', 'jobs', [bind('x', 'jobs.cancel', {when: () => isRunning})]));
	router.add(layer('pane', 'top', [bind('x', 'top', {run: () => pass})]));
	router.dispatch(press('x'));
	isRunning = true;
	router.dispatch(press('x'));
	expect(log).toEqual(['global.x', 'jobs.cancel']);
});

test('a chord runs on its last key; another key gives it up and counts for itself', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('pane', 'table', [bind('g g', 'top'), bind('j', 'next')]));
	router.dispatch(press('g'));
	expect(router.getSnapshot().pending).toEqual(['g']);
	router.dispatch(press('g'));
	router.dispatch([press('g'), press('j')]);
	router.dispatch([press('g'), press('esc'), press('g')]);
	expect(log).toEqual(['top', 'next']);
	expect(router.getSnapshot().pending).toEqual(['g']);
});

test('the keys behind one that changes the screen wait until it has changed', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter({later: () => undefined});
	const waiting: (() => void)[] = [];
	const settle: Settle = done => waiting.push(done);
	router.setSettle(settle);
	router.add(
		layer('pane', 'table', [bind('j', 'next', {batch: true}), bind('x', 'delete'), bind('enter', 'open')]),
	);
	router.dispatch(['j', 'j', 'enter', 'x'].map(press));
	expect(log).toEqual(['next', 'next', 'open']);
	// The dialog that enter opened is there now; what was typed behind it belongs to it.
	router.add(layer('dialog', 'dialog', [bind('x', 'dialog.x')], {modal: true}));
	router.dispatch(press('j'));
	expect(waiting).toHaveLength(1);
	waiting[0]?.();
	expect(log).toEqual(['next', 'next', 'open', 'dialog.x']);
});

test('a key that comes when what was before it has been rendered does not wait', () => {
	const {log, bind, layer} = recorder();
	let rendered: () => void = () => undefined;
	const router = createRouter({
		later: done => {
			rendered = done;
		},
	});
	const waiting: (() => void)[] = [];
	router.setSettle(done => waiting.push(done));
	router.add(layer('pane', 'table', [bind('enter', 'open')]));
	router.dispatch(press('enter'));
	const first = rendered;
	first();
	router.dispatch(press('enter'));
	expect(log).toEqual(['open', 'open']);
	// That the first key has been rendered says nothing of the second.
	first();
	router.dispatch(press('enter'));
	expect(log).toEqual(['open', 'open']);
	expect(waiting).toHaveLength(1);
});

test('by itself a router takes a key for rendered after some turns of the event loop, however long they take', async () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	const waiting: (() => void)[] = [];
	router.setSettle(done => waiting.push(done));
	router.add(layer('pane', 'table', [bind('enter', 'open'), bind('j', 'next')]));
	router.dispatch(press('enter'));
	const until = performance.now() + 50;
	while (performance.now() < until);
	router.dispatch(press('j'));
	expect(log).toEqual(['open']);
	waiting[0]?.();
	expect(log).toEqual(['open', 'next']);
	for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve));
	router.dispatch(press('j'));
	expect(log).toEqual(['open', 'next', 'next']);
	expect(waiting).toHaveLength(1);
});

test('a key whose binding is not ready waits, and what comes behind it waits with it', async () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	const answer = Promise.withResolvers<void>();
	let waits: Promise<void> | undefined = answer.promise;
	router.add(
		layer('pane', 'table', [
			bind('-', 'reject', {batch: true, ready: () => waits}),
			bind('j', 'next', {batch: true}),
		]),
	);
	router.dispatch(['j', '-', 'j'].map(press));
	router.dispatch(press('j'));
	expect(log).toEqual(['next']);
	waits = undefined;
	answer.resolve();
	await expect.poll(() => log).toEqual(['next', 'reject', 'next', 'next']);
	router.dispatch(press('-'));
	expect(log.at(-1)).toBe('reject');
});

test('what a key waits for may fail: the key is heard all the same', async () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('pane', 'table', [bind('-', 'reject', {ready: () => Promise.reject(new Error('no'))})]));
	router.dispatch(press('-'));
	await expect.poll(() => log).toEqual(['reject']);
});

test('a throwing binding does not keep later keys from being heard', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(
		layer('pane', 'table', [
			bind('b', 'break', {
				run() {
					throw new Error('no');
				},
			}),
			bind('j', 'next'),
		]),
	);
	expect(() => router.dispatch(press('b'))).toThrow('no');
	router.dispatch(press('j'));
	expect(log).toEqual(['next']);
});

test('the footer offers what can be pressed now, and the palette what the screen offers', async () => {
	const {bind, layer} = recorder();
	const router = createRouter();
	let told = 0;
	router.subscribe(() => told++);
	router.add(layer('global', 'global', [bind(['q', 'ctrl+c'], 'quit'), bind('?', 'help')]));
	router.add(layer('pane', 'table', [bind(['j', 'down'], 'next'), bind('q', 'close')]));
	await Promise.resolve();
	expect(told).toBe(1);
	const show = (bindings: ReturnType<typeof router.getSnapshot>['active']) =>
		bindings.map(binding => `${binding.action} ${binding.keys.map(keys => keys.join(' ')).join(',')}`);
	expect(show(router.getSnapshot().active)).toEqual(['next j,down', 'close q', 'quit ctrl+c', 'help ?']);

	const before = router.getSnapshot();
	router.add(layer('pane', 'nothing', []));
	expect(router.getSnapshot()).toBe(before);

	router.add(
		layer('dialog', 'palette', [bind('esc', 'palette.close')], {modal: true, text: () => undefined}),
	);
	expect(show(router.getSnapshot().active)).toEqual(['palette.close esc']);
	expect(router.getSnapshot().commands).toBe(before.commands);
});

test('the keys a field takes are not offered for the layers below it', () => {
	const {bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('global', 'global', [bind(['q', 'ctrl+q'], 'quit'), bind('g g', 'top')]));
	router.add(layer('pane', 'filter', [bind('esc', 'leave')], {text: () => undefined}));
	expect(router.getSnapshot().active.map(({action, keys}) => [action, keys])).toEqual([
		['leave', [['esc']]],
		['quit', [['ctrl+q']]],
		['top', []],
	]);
});

test('an action runs by name, and an unknown one says so', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('pane', 'table', [bind([], 'table.export')]));
	router.add(layer('dialog', 'palette', [], {modal: true}));
	expect(router.run('table.export')).toBe(true);
	expect(router.run('table.nothing')).toBe(false);
	expect(log).toEqual(['table.export']);
});

test('the user may rebind an action', () => {
	const {log, bind, layer} = recorder();
	const router = createRouter();
	router.add(layer('pane', 'table', [bind('j', 'next'), bind('n', 'other')]));
	router.setOverrides({next: ['ctrl+n', 'n'], other: []});
	router.dispatch(['j', 'ctrl+n', 'n'].map(press));
	expect(log).toEqual(['next', 'next']);
});
