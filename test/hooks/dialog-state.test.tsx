import {Text} from 'ink';
import {render} from 'ink-testing-library';
import type {ReactNode} from 'react';
import {afterEach, expect, onTestFinished, test, vi} from 'vitest';
import {useLatestState} from '../../source/hooks/latest-state.ts';
import {useLineField} from '../../source/hooks/line-field.ts';
import {useListPosition} from '../../source/hooks/list-position.ts';
import {useNow} from '../../source/hooks/now.ts';
import {movedBy} from '../../source/store/state/list-location.ts';
import type {KeyEvent} from '../../source/terminal/input-event.ts';

afterEach(() => vi.useRealTimers());

/** Draws what a hook gives as text, and gives the hook itself as it was when last drawn. */
function hooked<Given>(use: () => Given, words: (given: Given) => string) {
	const drawn: Given[] = [];
	function Hooked(): ReactNode {
		const given = use();
		drawn.push(given);
		return <Text>{words(given)}</Text>;
	}
	const view = render(<Hooked />);
	onTestFinished(() => view.unmount());
	return {
		last: () => drawn.at(-1) as Given,
		draws: () => drawn.length,
		frame: () => view.lastFrame() ?? '',
		until: (text: string) => expect.poll(() => view.lastFrame()).toBe(text),
		end: () => view.unmount(),
	};
}

const key = (name: string, text = ''): KeyEvent => ({type: 'key', key: name, text, sequence: text});

test('latest-state: keys of one burst each see the state that the one before left', async () => {
	const {last, until} = hooked(
		() => useLatestState(() => ({count: 0})),
		({drawn}) => `${drawn.count}`,
	);
	const state = last();
	const add = () => state.change(({count}) => ({count: count + 1}));
	expect(add()).toEqual({before: {count: 0}, after: {count: 1}});
	expect(add()).toEqual({before: {count: 1}, after: {count: 2}});
	expect(state.now()).toEqual({count: 2});
	await until('2');
});

test('latest-state: a step that changes nothing draws nothing', async () => {
	const {last, draws, until} = hooked(
		() => useLatestState(() => ({text: 'as before'})),
		({drawn}) => drawn.text,
	);
	await until('as before');
	const before = draws();
	last().change(state => state);
	last().change(() => ({text: 'changed'}));
	await until('changed');
	expect(draws()).toBe(before + 1);
});

test('line-field: a burst of letters is typed whole, and keys that do not edit are left to others', async () => {
	const texts: string[] = [];
	const {last, until} = hooked(
		() => useLineField('fold', ({text}) => texts.push(text)),
		({field}) => field.text,
	);
	const {type, now, set} = last();
	for (const letter of 'ing') expect(type(key(letter, letter))).toBe(true);
	expect(now().text).toBe('folding');
	await until('folding');
	expect(type(key('f5'))).toBe(false);
	// The caret moves, the text is the same: nobody is notified.
	expect(type(key('left'))).toBe(true);
	expect(texts).toEqual(['foldi', 'foldin', 'folding']);
	set('pour');
	await until('pour');
	expect(last().field).toMatchObject({text: 'pour', caret: 4});
	expect(texts.at(-1)).toBe('pour');
});

test('list-position: steps of one burst add up, and the pointer stays in a list that shortens', async () => {
	let count = 10;
	const {last, until} = hooked(
		() => useListPosition({count, height: 4}),
		({position}) => `${position.offset} ${position.selected}`,
	);
	const {move, now} = last();
	for (let times = 0; times < 6; times++) move((position, extent) => movedBy(position, 1, extent));
	expect(now().selected).toBe(6);
	await until(`${now().offset} 6`);
	expect(now().offset).toBeGreaterThan(0);
	count = 3;
	move(position => position);
	await until('0 2');
	expect(last().now()).toMatchObject({selected: 2, offset: 0});
});

test.each([
	[true, 1000],
	[false, 5000],
] as const)(
	'now: an exact time (%s) is drawn anew after %i ms, and not once it is gone',
	async (isExact, ms) => {
		vi.useFakeTimers({toFake: ['setInterval', 'clearInterval', 'Date']});
		const {draws, last, end} = hooked(
			() => useNow(isExact),
			now => `${now}`,
		);
		await expect.poll(() => vi.getTimerCount()).toBe(1);
		const begun = last();
		const before = draws();
		vi.advanceTimersByTime(ms);
		await expect.poll(draws).toBeGreaterThan(before);
		expect(last()).toBe(begun + ms);
		expect(draws()).toBe(before + 1);
		end();
		await expect.poll(() => vi.getTimerCount()).toBe(0);
	},
);
