import {hashKey, QueryObserver} from '@tanstack/query-core';
import {expect, onTestFinished, test} from 'vitest';
import {noFilter} from '../../../source/query/filter.ts';
import {Explorer} from '../../../source/store/explorer.ts';
import {initialState} from '../../../source/store/explorer-state.ts';
import {createQueryClient, mostKept} from '../../../source/store/queries/query-client.ts';
import {viewed} from '../../../source/store/state/view-transitions.ts';
import {hosted} from '../../support/hosted.ts';
import {clientOf, until} from '../support.ts';

const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

test('events with ever new ids cost no memory, and what moves or was typed stays listed', async () => {
	const service = await hosted({episodes: 20});
	const queries = createQueryClient();
	const explorer = new Explorer({
		client: clientOf(service),
		queries,
		state: initialState(noFilter, undefined),
	});
	onTestFinished(() => explorer.stop());
	explorer.listen();
	await until(explorer.live.state, state => state.phase === 'live');
	explorer.update(viewed('uploads'));
	const [moving, typed] = [idOf(0xaaaaaa), idOf(0xbbbbbb)];
	service.state.syncs.set(moving, {phase: 'preparing', done: false});
	service.state.syncs.set(typed, {phase: 'preparing', done: false});
	service.state.events.publish({data: {operation_id: moving}});
	explorer.follow('uploads', typed);
	const operations = () => explorer.uploads.known.getState().entries.map(({operationId}) => operationId);
	await until(explorer.uploads.known, ({entries}) => entries.length === 2);

	const events = 3000;
	for (let n = 0; n < events; n++) {
		const id = idOf(n);
		const named = [{operation_id: id}, {job_id: id}, {dataset_id: id}, {id}][n % 4];
		service.state.events.publish({data: {...named, status: 'running'}});
	}
	service.state.events.publish({event: 'the last one', data: {}});
	await until(explorer.live.log.known, ({entries}) =>
		entries.some(entry => entry.kind === 'event' && entry.event.name === 'the last one'),
	);
	expect(queries.getQueryCache().getAll().length).toBeLessThan(200);
	expect(operations()).toEqual(expect.arrayContaining([moving, typed]));
});

test('answers that nobody looks at go, the oldest first, and those that are looked at or kept for good stay', async () => {
	const queries = createQueryClient();
	const watched = new QueryObserver(queries, {queryKey: ['watched'], queryFn: () => 1});
	const leave = watched.subscribe(() => undefined);
	queries.setQueryDefaults(['for good'], {gcTime: Number.POSITIVE_INFINITY});
	queries.setQueryData(['for good'], 1);
	for (let n = 0; n < 5 * mostKept; n++) queries.setQueryData(['other', n], n);
	const cache = queries.getQueryCache();
	expect(cache.getAll().length).toBeLessThanOrEqual(1.1 * mostKept);
	const holds = (key: readonly unknown[]) => cache.get(hashKey(key)) !== undefined;
	expect([holds(['watched']), holds(['for good']), holds(['other', 0])]).toEqual([true, true, false]);
	expect(holds(['other', 5 * mostKept - 1])).toBe(true);
	leave();
	queries.clear();
});
