import {expect, onTestFinished, test} from 'vitest';
import type {Answer} from '../../../source/client/answer.ts';
import type {ExploreResponse} from '../../../source/contract/explore.ts';
import type {ExploreQuestion} from '../../../source/contract/local-explore.ts';
import {EpisodeWindow} from '../../../source/store/episodes/episode-window.ts';
import {
	isHeldUp,
	type Question,
	type ReadPage,
	type Result,
	type Row,
} from '../../../source/store/queries/explore-result.ts';
import {createQueryClient} from '../../../source/store/queries/query-client.ts';
import {html, reset} from '../../hosted-service/faults.ts';
import {hosted} from '../../support/hosted.ts';
import {clientOf, until} from '../support.ts';

const calm = 1_000_000;

function windowOf(read: ReadPage, question: Question = {}, paceMs = calm) {
	const client = createQueryClient();
	const window = new EpisodeWindow({client, read, question, paceMs});
	onTestFinished(() => {
		window.stop();
		client.clear();
	});
	return window;
}

const isEpisode = (row: Row) => typeof row === 'object';
const indexAt = (result: Result, row: number) => {
	const found = result.row(row);
	return typeof found === 'object' ? found.episode_index : found;
};

test('only the pages around the reader are read, also at the far end of 200,000 rows', async () => {
	const service = await hosted({episodes: 200_000});
	const window = windowOf(clientOf(service).explore);
	const first = await until(window.result, ({row}) => isEpisode(row(0)));
	expect(first.rowCount).toBe(200_000);
	expect(first.row(150_000)).toBe('loading');
	window.show(199_940, 199_999);
	await until(window.result, ({row}) => isEpisode(row(199_999)));
	await until(window.result, ({row}) => isEpisode(row(199_850)));
	const offsets = service.requests.map(({body}) => (body as {offset: number}).offset);
	expect(offsets.sort((a, b) => a - b)).toEqual([0, 199_800, 199_900]);
}, 30_000);

test('a row that no list shows is read when it is looked at', async () => {
	const service = await hosted({episodes: 1000});
	const window = windowOf(clientOf(service).explore);
	window.show(0, 20);
	await until(window.result, ({row}) => isEpisode(row(0)));
	window.look(15);
	expect(window.result.getState().row(500)).toBe('loading');
	window.look(500);
	await until(window.result, ({row}) => isEpisode(row(500)));
});

test('no page is read twice for one look at it', async () => {
	const service = await hosted({episodes: 1000});
	const window = windowOf(clientOf(service).explore);
	window.show(30, 60);
	await until(window.result, ({row}) => isEpisode(row(199)));
	const offsets = service.requests.map(({body}) => (body as {offset: number}).offset);
	expect(offsets.sort((a, b) => a - b)).toEqual([0, 100]);
});

test('the answer before stays until the next one is there', async () => {
	const service = await hosted({episodes: 1000});
	const window = windowOf(clientOf(service).explore);
	const before = await until(window.result, ({rowCount}) => rowCount > 0);
	window.ask({tiers: ['analyze_only']});
	expect(window.result.getState()).toMatchObject({isPrevious: true, rowCount: 1000});
	const after = await until(window.result, ({isPrevious}) => !isPrevious);
	expect(after.rowCount).toBeLessThan(1000);
	expect(after.rowCount).toBeGreaterThan(0);
	expect(after.totals).not.toEqual(before.totals);
});

test('a page that was scrolled past is not waited for', async () => {
	const gate = Promise.withResolvers<void>();
	const aborted: number[] = [];
	const window = windowOf(async (request, {signal}) => {
		const {offset = 0} = request;
		if (offset === 1000) {
			signal.addEventListener('abort', () => {
				aborted.push(offset);
				gate.resolve();
			});
			await new Promise(() => undefined);
		}
		return page(request, {total: 5000});
	});
	await until(window.result, ({rowCount}) => rowCount === 5000);
	window.show(1000, 1020);
	window.show(3000, 3020);
	await gate.promise;
	expect(aborted).toEqual([1000]);
	await until(window.result, ({row}) => isEpisode(row(3000)));
});

test('when a page counts another result, the others are read again', async () => {
	let total = 1000;
	const read: number[] = [];
	const window = windowOf(async request => {
		read.push(request.offset ?? 0);
		return page(request, {total});
	});
	window.show(145, 255);
	await until(window.result, ({row}) => isEpisode(row(255)) && isEpisode(row(399)));
	total = 1001;
	read.length = 0;
	window.show(990, 999);
	await until(window.result, ({rowCount, row}) => rowCount === 1001 && isEpisode(row(1000)));
	await until(window.result, ({totals}) => totals?.episodes === 1001);
	expect(read).toContain(0);
});

test('a service whose pages never agree is not asked without end', async () => {
	let calls = 0;
	const window = windowOf(async request => page(request, {total: 1000 + calls++}));
	window.show(190, 210);
	await until(window.result, ({row}) => isEpisode(row(210)));
	await until(window.result, ({freshness}) => freshness.state === 'fresh' && !freshness.isReading);
	expect(calls).toBeLessThan(20);
});

test('a service that gives smaller pages than asked for has no holes', async () => {
	const window = windowOf(async request => page({...request, limit: 50}, {total: 1000}));
	window.show(180, 220);
	await until(window.result, ({row}) => isEpisode(row(180)) && isEpisode(row(220)));
	expect(indexAt(window.result.getState(), 199)).toBe(199);
	expect(indexAt(window.result.getState(), 201)).toBe(201);
});

test('an element that was set aside keeps its place, and is counted', async () => {
	const window = windowOf(async request => {
		const {data} = page(request, {total: 4});
		const setAside = [{path: 'episodes[1]', message: 'broken', value: {}}];
		return {data: {...data, episodes: data.episodes.filter((_, place) => place !== 1)}, setAside};
	});
	const result = await until(window.result, ({rowCount}) => rowCount === 4);
	expect([0, 1, 2, 3].map(row => indexAt(result, row))).toEqual([0, 'unreadable', 2, 3]);
	expect(result.setAsideCount).toBe(1);
});

test('a page with fewer rows than counted says so instead of loading for ever', async () => {
	const window = windowOf(async request => {
		const {data, setAside} = page(request, {total: 10});
		return {data: {...data, episodes: data.episodes.slice(0, 8)}, setAside};
	});
	const result = await until(window.result, ({rowCount}) => rowCount === 10);
	expect(result.row(9)).toBe('missing');
});

test('after a failure what was read stays, stale, with the reason, and comes back fresh', async () => {
	const service = await hosted({episodes: 200});
	const window = windowOf(clientOf(service).explore);
	await until(window.result, ({row}) => isEpisode(row(99)));
	service.setFault('POST /v1/datasets/explore', html());
	window.refetch();
	const stale = await until(window.result, ({freshness}) => freshness.state === 'stale');
	expect(stale.rowCount).toBe(200);
	expect(stale.freshness).toMatchObject({reason: expect.stringContaining('HTML')});
	service.setFault('POST /v1/datasets/explore', reset);
	window.refetch();
	await until(window.result, ({freshness}) => freshness.state === 'offline' && !freshness.isReading);
	service.setFault('POST /v1/datasets/explore');
	window.refetch();
	await until(window.result, ({freshness}) => freshness.state === 'fresh');
});

test('rows that show while the newest question is asked in vain are known to answer the one before', async () => {
	const service = await hosted({episodes: 200});
	const window = windowOf(clientOf(service).explore);
	await until(window.result, ({row}) => isEpisode(row(99)));
	expect(isHeldUp(window.result.getState())).toBe(false);
	service.setFault('POST /v1/datasets/explore', reset);
	window.ask({tiers: ['retrainable']});
	const held = await until(window.result, isHeldUp);
	expect(held).toMatchObject({rowCount: 200, isPrevious: true});
	service.setFault('POST /v1/datasets/explore');
	window.refetch();
	await until(window.result, result => !isHeldUp(result) && !result.isPrevious);
});

test('a page that could not be read is tried again by itself', async () => {
	const service = await hosted({episodes: 1000});
	const window = windowOf(clientOf(service).explore, {}, 40);
	await until(window.result, ({row}) => isEpisode(row(99)));
	service.setFault('POST /v1/datasets/explore', ({request, response, settle, send}) =>
		(request.body as {offset: number}).offset === 800 ? void response.destroy() : void settle().then(send),
	);
	window.show(800, 820);
	await until(window.result, ({row}) => row(800) === 'failed');
	service.setFault('POST /v1/datasets/explore');
	await until(window.result, ({row}) => isEpisode(row(800)));
});

test('a refused key is asked with once, however long one waits', async () => {
	const service = await hosted({episodes: 10});
	const window = windowOf(clientOf({url: service.url, key: 'wrong'}).explore, {}, 20);
	await until(window.result, ({freshness}) => freshness.state === 'failed' && !freshness.isReading);
	const probe = windowOf(clientOf(service).explore, {}, 20);
	await until(probe.result, ({freshness}) => freshness.state === 'fresh');
	const answeredOften = () =>
		service.requests.filter(({headers}) => headers['x-api-key'] === service.key).length > 4;
	await until(probe.result, answeredOften);
	expect(service.requests.filter(({headers}) => headers['x-api-key'] === 'wrong')).toHaveLength(1);
});

test('the first page is polled, and another total shows by itself', async () => {
	const service = await hosted({episodes: 100});
	const window = windowOf(clientOf(service).explore, {}, 30);
	await until(window.result, ({rowCount}) => rowCount === 100);
	service.setEpisodes(150);
	await until(window.result, ({rowCount}) => rowCount === 150);
});

test('64-bit totals are exact', async () => {
	const most = 18_446_744_073_709_551_615n;
	const service = await hosted({
		episodes: [{dataset_name: 'huge', episode_index: 0, frame_count: most, duration_seconds: 1}],
	});
	const window = windowOf(clientOf(service).explore);
	const {totals, row} = await until(window.result, ({rowCount}) => rowCount === 1);
	expect(totals?.frames).toBe(most);
	expect(row(0)).toMatchObject({frame_count: most});
});

/** A page of a lake whose episodes are numbered through. */
function page({offset = 0, limit = 200}: ExploreQuestion, {total}: {total: number}): Answer<ExploreResponse> {
	const count = Math.max(0, Math.min(limit, total - offset));
	return {
		setAside: [],
		data: {
			episodes: Array.from({length: count}, (_, place) => ({
				episode_id: '00000000-0000-4000-8000-000000000000',
				dataset_id: '00000000-0000-4000-8000-000000000001',
				dataset_name: 'numbered',
				episode_index: offset + place,
				frame_count: 10,
				duration_seconds: 1,
				review_state: 'unreviewed',
			})),
			channel_predicate_evidence: [],
			total,
			total_frames: total * 10,
			total_duration_seconds: total,
			facets: {
				by_task: [],
				by_tier: [],
				by_interface_hash: [],
				by_task_total_values: 0,
				by_tier_total_values: 0,
				by_interface_hash_total_values: 0,
			},
			page_limit: limit,
			page_offset: offset,
		},
	};
}
