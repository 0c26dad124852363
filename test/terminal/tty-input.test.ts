import {expect, test} from 'vitest';
import type {InputEvent} from '../../source/terminal/input-event.ts';
import {createKeyReader, holdTimes} from '../../source/terminal/tty-input.ts';

/** A reader on a clock that the test moves. */
function reader() {
	let clock = 0;
	const timers = new Map<number, {at: number; call: () => void}>();
	let nextTimer = 1;
	const log: string[] = [];
	const emit = (events: readonly InputEvent[]) => {
		log.push(events.map(event => (event.type === 'key' ? event.key : event.type)).join(' '));
	};
	const keys = createKeyReader(emit, holdTimes, {
		now: () => clock,
		set(call, milliseconds) {
			timers.set(nextTimer, {at: clock + milliseconds, call});
			return nextTimer++;
		},
		clear: timer => timers.delete(timer as number),
	});
	return {
		log,
		keys,
		type: (text: string) => keys.push(new TextEncoder().encode(text)),
		wait(milliseconds: number) {
			clock += milliseconds;
			for (const [id, timer] of timers) {
				if (timer.at > clock) continue;
				timers.delete(id);
				timer.call();
			}
		},
	};
}

test('a burst is emitted together, before push returns', () => {
	const {log, type} = reader();
	type('jjk\r');
	expect(log).toEqual(['j j k enter']);
});

test.each([1, 30, 60, 150])('an arrow split by %i ms is an arrow', gap => {
	const {log, type, wait} = reader();
	type('\u001b');
	wait(gap);
	type('[A');
	wait(1000);
	expect(log).toEqual(['up']);
});

test('a lone ESC is the key when nothing has come for longer than a network takes', () => {
	const {log, type, wait} = reader();
	type('\u001b');
	wait(179);
	expect(log).toEqual([]);
	wait(1);
	expect(log).toEqual(['esc']);
});

test('a key that is typed soon after ESC is a key of its own, one that comes with it is alt and that key', () => {
	const {log, type, wait} = reader();
	type('\u001b');
	wait(60);
	type('j');
	expect(log).toEqual(['esc j']);
	type('\u001bj');
	expect(log).toEqual(['esc j', 'alt+j']);
	type('\u001b');
	wait(60);
	type('\u001b[A');
	expect(log.at(-1)).toBe('esc up');
});

test('ESC and a key typed after the wait are two keys', () => {
	const {log, type, wait} = reader();
	type('\u001b');
	wait(180);
	type('j');
	expect(log).toEqual(['esc', 'j']);
});

test('a paste waits longer than a key, and a half one is given at last', () => {
	const {log, type, wait} = reader();
	type('\u001b[200~slow');
	wait(1000);
	expect(log).toEqual([]);
	wait(4000);
	expect(log).toEqual(['paste']);
});

test('after a reset nothing old comes', () => {
	const {log, type, wait, keys} = reader();
	type('\u001b');
	keys.reset();
	wait(1000);
	type('[A');
	expect(log).toEqual(['[ A']);
});
