import {expect, test} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {inOrder, orderHere} from '../../../source/store/episodes/sorted-reading.ts';
import {hosted} from '../../support/hosted.ts';
import {explorerOf, until} from '../support.ts';

const episode = (episode_index: number, metrics: Record<string, number>) =>
	({episode_index, duration_seconds: 1, quality_score: metrics.q ?? null, metrics}) as unknown as LakeEpisode;

const indices = (episodes: readonly LakeEpisode[]) => episodes.map(({episode_index}) => episode_index);

test('episodes without the figure come last either way, and equal ones stay as they were', () => {
	const episodes = [
		episode(0, {sparc: -3}),
		episode(1, {}),
		episode(2, {sparc: -9}),
		episode(3, {sparc: -3}),
	];
	expect(indices(inOrder(episodes, {by: 'sparc', direction: 'asc'}))).toEqual([2, 0, 3, 1]);
	expect(indices(inOrder(episodes, {by: 'sparc', direction: 'desc'}))).toEqual([0, 3, 2, 1]);
});

test('where nothing tells how odd an episode is, the lowest quality score is the worst', () => {
	const worst = {by: 'doubt', direction: 'desc'} as const;
	expect(orderHere([episode(0, {q: 0.4})], worst)).toEqual({by: 'quality_score', direction: 'asc'});
	expect(orderHere([episode(0, {q: 0.4, doubt: 2})], worst)).toBe(worst);
});

test('a service without orders: what was read is ordered here, says so, and selects by its own rows', async () => {
	const service = await hosted({episodes: 1000});
	const explorer = explorerOf(service);
	explorer.window.show(30, 60);
	await until(explorer.window.result, ({row}) => typeof row(199) === 'object');
	await explorer.sort.by({by: 'duration_s', direction: 'desc'});
	const {row, rowCount, order, totals} = explorer.window.result.getState();
	expect({rowCount, order, total: totals?.episodes}).toEqual({
		rowCount: 200,
		order: {by: 'duration_s', direction: 'desc', isHere: true, instead: false},
		total: 1000,
	});
	const rows = Array.from({length: rowCount}, (_, at) => row(at) as LakeEpisode);
	const seconds = rows.map(({duration_seconds}) => duration_seconds);
	expect(seconds).toEqual(seconds.toSorted((a, b) => b - a));
	expect(explorer.state.getState().notices.at(-1)?.text).toContain('only the episodes read so far');
	explorer.selection.startRange();
	explorer.update(state => ({...state, position: {...state.position, selected: 2}}));
	await explorer.selection.takeRange();
	const {selection} = explorer.state.getState();
	const picked = selection.by === 'hand' ? [...selection.picked.keys()] : [];
	expect(new Set(picked)).toEqual(new Set(rows.slice(0, 3).map(({episode_id}) => episode_id)));

	const asked = service.requests.length;
	await explorer.sort.by(undefined);
	expect(explorer.window.result.getState()).toMatchObject({rowCount: 1000, order: undefined});
	expect(service.requests.length).toBe(asked);
	expect(explorer.places.back()?.sort).toEqual({by: 'duration_s', direction: 'desc'});
	await until(explorer.window.result, result => result.order?.by === 'duration_s');
});
