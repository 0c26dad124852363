import {QueryClient} from '@tanstack/query-core';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {EpisodeSeries, SeriesQuery} from '../../../source/contract/local-series.ts';
import {wholeEpisode} from '../../../source/store/series/plot-window.ts';
import {SeriesWatch} from '../../../source/store/series/series-watch.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

const available = ['action.pan', 'action.gripper', 'state.gripper'];

function answer(episodeId: string, {width = 120, from = 0, until = 100}: SeriesQuery): EpisodeSeries {
	return {
		episode_id: episodeId,
		dataset_name: 'cups',
		episode_index: 0,
		task: null,
		frames: 100,
		fps: 10,
		seconds: 10,
		from,
		until,
		width,
		channels: [],
		available,
		speed: null,
		pauses: [],
		progress: null,
		siblings: null,
	};
}

type Asked = {readonly id: string; readonly query: SeriesQuery; readonly signal: AbortSignal | undefined};

/** A watch over a service that answers at once, or only when told to. */
function watched({isSlow = false, isTold = true} = {}) {
	const asked: Asked[] = [];
	const queries = new QueryClient({defaultOptions: {queries: {retry: false}}});
	const watch = new SeriesWatch({
		queries,
		client: {
			episodeSeries: (id, query = {}, {signal} = {}) => {
				asked.push({id, query, signal});
				const told = {data: answer(id, query), problems: []} as unknown as Awaited<
					ReturnType<ConstructorParameters<typeof SeriesWatch>[0]['client']['episodeSeries']>
				>;
				if (!isSlow) return Promise.resolve(told);
				return new Promise((_, reject) => {
					signal?.addEventListener('abort', () => reject(signal.reason));
				});
			},
		},
		isTold: () => isTold,
	});
	return {watch, asked, queries};
}

const wanted = (episodeId: string) => ({
	episodeId,
	chosen: undefined,
	unlike: [],
	dots: 150,
	window: wholeEpisode,
});

test('an episode that is walked past is not asked for; one at which the cursor rests is, once', async () => {
	const {watch, asked, queries} = watched();
	for (const id of ['a', 'b', 'c']) watch.look(wanted(id));
	expect(asked).toEqual([]);
	await vi.advanceTimersByTimeAsync(200);
	expect(asked.map(({id, query}) => [id, query])).toEqual([
		['c', {width: 1}],
		['c', {channels: '["action.gripper","state.gripper"]', width: 160}],
	]);
	expect(watch.known.getState()).toMatchObject({episodeId: 'c', drawn: {width: 160}, failure: undefined});
	watch.look(wanted('a'));
	expect(watch.known.getState()).toMatchObject({episodeId: 'a', drawn: undefined});
	watch.look(wanted('c'));
	await vi.advanceTimersByTimeAsync(200);
	expect(asked).toHaveLength(2);
	expect(watch.known.getState()).toMatchObject({episodeId: 'c', drawn: {width: 160}});
	queries.clear();
});

test('what is not wanted any more is given up', async () => {
	const {watch, asked, queries} = watched({isSlow: true});
	watch.look(wanted('a'));
	await vi.advanceTimersByTimeAsync(200);
	expect(asked[0]?.signal?.aborted).toBe(false);
	watch.look(wanted('b'));
	expect(asked[0]?.signal?.aborted).toBe(true);
	await vi.advanceTimersByTimeAsync(200);
	expect(asked.at(-1)?.id).toBe('b');
	expect(watch.known.getState().failure).toBeUndefined();
	watch.stop();
	expect(asked.at(-1)?.signal?.aborted).toBe(true);
	queries.clear();
});

test('a part of an episode is asked for by its frames, and the course before stays until it is there', async () => {
	const {watch, asked, queries} = watched();
	watch.look(wanted('a'));
	await vi.advanceTimersByTimeAsync(200);
	watch.look({...wanted('a'), window: {from: 0.25, until: 0.5}});
	expect(watch.known.getState().drawn).toMatchObject({from: 0, until: 100});
	await vi.advanceTimersByTimeAsync(200);
	expect(asked.at(-1)?.query).toMatchObject({from: 25, until: 50});
	expect(watch.known.getState().drawn).toMatchObject({from: 25, until: 50});
	queries.clear();
});

test('a service without series is not asked', async () => {
	const {watch, asked, queries} = watched({isTold: false});
	watch.look(wanted('a'));
	await vi.advanceTimersByTimeAsync(500);
	expect(asked).toEqual([]);
	queries.clear();
});
