import {expect, onTestFinished, test} from 'vitest';
import {CursorList} from '../../../source/store/queries/cursor-list.ts';
import type {ListPage} from '../../../source/store/queries/list-chain.ts';
import {until} from '../support.ts';

type Item = {readonly id: string};

const page = (ids: readonly string[], next?: string): ListPage<Item> => ({
	items: ids.map(id => ({id})),
	next,
	total: undefined,
	leftOut: 0,
});

function listOf(read: (cursor: string | undefined) => Promise<ListPage<Item>>): CursorList<Item> {
	const list = new CursorList<Item>(cursor => read(cursor), {
		nameOf: ({id}) => ({key: id, label: id}),
		limits: {page: 2, leap: 2},
		paceMs: () => 3_600_000,
	});
	onTestFinished(() => list.stop());
	return list;
}

test('what an earlier run read shows as stale until the list is read, by cursors of this run alone', async () => {
	const cursors: (string | undefined)[] = [];
	const list = listOf(async cursor => {
		cursors.push(cursor);
		return cursor === undefined ? page(['a', 'b'], 'new cursor') : page(['c']);
	});
	list.recall(page(['a', 'b'], 'old cursor'), {limit: 2, readAt: 5});
	expect(list.known.getState()).toMatchObject({
		freshness: {state: 'stale', since: 5, isFromLastSession: true},
		names: [{key: 'a'}, {key: 'b'}],
	});
	list.show(true);
	const known = await until(
		list.known,
		({freshness, names}) => freshness.state === 'fresh' && names.length === 3,
	);
	expect(known.keys).toEqual(['a', 'b', 'c']);
	expect(cursors).not.toContain('old cursor');
});

test('what was recalled does not come over what was read', async () => {
	const list = listOf(async () => page(['new']));
	list.show(true);
	await until(list.known, ({freshness}) => freshness.state === 'fresh');
	list.recall(page(['old']), {limit: 2, readAt: 5});
	expect(list.known.getState().keys).toEqual(['new']);
});
