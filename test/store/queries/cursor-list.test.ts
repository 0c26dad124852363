import {expect, onTestFinished, test} from 'vitest';
import {CursorList, type ReadListPage} from '../../../source/store/queries/cursor-list.ts';
import {unread} from '../../../source/store/queries/list-chain.ts';
import {until} from '../support.ts';

type Item = {readonly id: string; readonly text: string};

const itemAt = (row: number): Item => ({id: `id-${row}`, text: `text ${row}`});

/** A listing of so many rows; what it was asked is noted. */
function service(count: number, {tellsTotal = true} = {}) {
	const state = {items: Array.from({length: count}, (_, row) => itemAt(row)), fails: 0};
	const asked: {cursor: string | undefined; limit: number}[] = [];
	const read: ReadListPage<Item> = async (cursor, limit, signal) => {
		asked.push({cursor, limit});
		await new Promise(resolve => setImmediate(resolve));
		signal.throwIfAborted();
		if (state.fails > 0) {
			state.fails--;
			throw new Error('it failed');
		}
		const from = cursor === undefined ? 0 : state.items.findIndex(({id}) => id === cursor) + 1;
		const items = state.items.slice(from, from + limit);
		const isLast = from + limit >= state.items.length;
		return {
			items,
			next: isLast ? undefined : items.at(-1)?.id,
			total: tellsTotal ? state.items.length : undefined,
			leftOut: 0,
		};
	};
	return {state, asked, read};
}

function listOf(read: ReadListPage<Item>, {paceMs = 3_600_000} = {}): CursorList<Item> {
	const list = new CursorList(read, {
		nameOf: ({id, text}) => ({key: id, label: text}),
		limits: {page: 100, leap: 1000},
		paceMs: () => paceMs,
	});
	onTestFinished(() => list.stop());
	return list;
}

const rows = (from: number, count: number) => Array.from({length: count}, (_, row) => from + row);

test('ten thousand rows: the last is reached in leaps, what was passed is let go, and read again on the way back', async () => {
	const {asked, read} = service(10_000);
	const list = listOf(read);
	list.show(true);
	await until(list.known, ({keys}) => keys.length === 10_000);
	expect(asked.length).toBeLessThanOrEqual(2);

	list.look(rows(9960, 40));
	const end = await until(list.known, ({item}) => item(9999) !== undefined);
	expect(end.item(9999)).toEqual(itemAt(9999));
	expect(end.names).toHaveLength(10_000);
	expect(asked.length).toBeLessThan(20);
	const held = () => list.known.getState().keys.filter((_, row) => list.known.getState().item(row)).length;
	expect(held()).toBeLessThanOrEqual(4000);

	list.look(rows(300, 40));
	const back = await until(list.known, ({item}) => item(320) !== undefined);
	expect(back.item(320)).toEqual(itemAt(320));
	expect(held()).toBeLessThanOrEqual(4000);
});

test('only what is near the reader is read', async () => {
	const {asked, read} = service(10_000);
	const list = listOf(read);
	list.show(true);
	list.look(rows(0, 40));
	await until(
		list.known,
		({freshness, names}) => names.length > 0 && 'isReading' in freshness && !freshness.isReading,
	);
	expect(asked.length).toBeLessThanOrEqual(2);
	expect(list.known.getState().names.length).toBeLessThanOrEqual(200);
});

test('a service that does not say how much it has is read on as the reader comes near its end', async () => {
	const {read} = service(250, {tellsTotal: false});
	const list = listOf(read);
	list.show(true);
	list.look(rows(0, 20));
	const first = await until(list.known, ({names}) => names.length === 200);
	expect(first.keys.at(-1)).toBe(unread);
	expect(first.hasMore).toBe(true);
	list.look(rows(180, 20));
	const all = await until(list.known, ({keys}) => keys.length === 250);
	expect(all).toMatchObject({hasMore: false});
});

test('a service that gives the same page again and again comes to an end', async () => {
	const list = listOf(async () => ({items: [itemAt(0)], next: 'again', total: undefined, leftOut: 0}));
	list.show(true);
	list.look(rows(0, 20));
	const known = await until(list.known, ({keys, hasMore}) => keys.length === 1 && !hasMore);
	expect(known.keys).toEqual(['id-0']);
});

test('a row more at the top is seen, and what was read below stays in its order', async () => {
	const {state, read} = service(150);
	const list = listOf(read);
	list.show(true);
	list.look(rows(0, 20));
	await until(list.known, ({names}) => names.length === 150);
	state.items.unshift({id: 'new', text: 'new'});
	list.refetchFirst();
	const known = await until(list.known, ({keys}) => keys[0] === 'new');
	expect(known.keys.slice(0, 3)).toEqual(['new', 'id-0', 'id-1']);
});

test('far down, a change is told and not forced on the reader', async () => {
	const {state, read} = service(5000);
	const list = listOf(read);
	list.show(true);
	list.look(rows(3000, 20));
	await until(list.known, ({item}) => item(3010) !== undefined);
	await until(list.known, ({freshness}) => 'isReading' in freshness && !freshness.isReading);
	state.items.unshift({id: 'new', text: 'new'});
	list.refetchFirst();
	const told = await until(list.known, ({isOutdated}) => isOutdated);
	expect(told.keys[0]).toBe('id-0');
	list.refetch();
	expect((await until(list.known, ({keys}) => keys[0] === 'new')).isOutdated).toBe(false);
});

test('another question shows its own rows, and the ones before until then', async () => {
	const {read} = service(30);
	const list = listOf(read);
	list.show(true);
	await until(list.known, ({names}) => names.length === 30);
	let answer = () => {};
	list.ask(async () => {
		await new Promise<void>(resolve => {
			answer = resolve;
		});
		return {items: [itemAt(7)], next: undefined, total: 1, leftOut: 0};
	});
	expect(list.known.getState()).toMatchObject({isPrevious: true});
	expect(list.known.getState().keys).toHaveLength(30);
	await new Promise(resolve => setImmediate(resolve));
	answer();
	const other = await until(list.known, ({isPrevious}) => !isPrevious);
	expect(other.keys).toEqual(['id-7']);
});

test('a failure says why and is tried again by itself; what was read stays', async () => {
	const {state, read} = service(150);
	const list = listOf(read);
	list.show(true);
	await until(list.known, ({names}) => names.length > 0);
	state.fails = 1;
	list.refetch();
	const failed = await until(list.known, ({freshness}) => freshness.state === 'stale');
	expect(failed.freshness).toMatchObject({reason: 'it failed'});
	expect(failed.keys.length).toBeGreaterThan(0);
	await until(list.known, ({freshness}) => freshness.state === 'fresh');
}, 30_000);

test('what was opened by its id stands above the rows until it is one of them', async () => {
	const {read} = service(500);
	const list = listOf(read);
	list.show(true);
	await until(list.known, ({names}) => names.length > 0);
	list.pin(itemAt(400));
	expect(list.known.getState().keys[0]).toBe('id-400');
	expect(list.known.getState().item(1)).toEqual(itemAt(0));
	list.look(rows(380, 40));
	const all = await until(list.known, ({names}) => names.length === 500);
	expect(all.keys.filter(key => key === 'id-400')).toHaveLength(1);
	expect(all.keys[0]).toBe('id-0');
});
