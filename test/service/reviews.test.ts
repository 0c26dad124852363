import {rm} from 'node:fs/promises';
import path from 'node:path';
import {expect, test} from 'vitest';
import {reviewListResponse, reviewResponse} from '../../source/contract/local-reviews.ts';
import {readEvents} from './events/reader.ts';
import {armDataset, siblings} from './support/arm-dataset.ts';
import {type Address, call} from './support/call.ts';
import {exploreLocally, idOf, ingestFolder} from './support/ingesting.ts';
import {endProcessesOver, processesOver, serviceHome} from './support/service-home.ts';

const home = serviceHome();

async function review(service: Address, ids: readonly string[], review_state: string) {
	const answer = await call(service, '/local/v1/reviews', {body: {episode_ids: ids, review_state}});
	expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
	return reviewResponse.parse(answer.json());
}

const states = async (service: Address) =>
	(await exploreLocally(service)).episodes.map(({review_state}) => review_state);

test('an episode unlike its siblings is found by its tag, its reasons stand in its metrics, and it comes first', async () => {
	const folder = await armDataset(path.join(home.root, 'odd'), [
		...siblings(12),
		{seconds: 11},
		{offset: 17, reach: 61.5},
	]);
	const service = await home.join(home.lake());
	await ingestFolder(service, folder);
	const documented = await call(service, '/v1/datasets/explore', {body: {tags: ['suspect']}});
	const found = documented.json<{episodes: {episode_index: number; tags: string[]}[]; total: number}>();
	expect(found.episodes.map(({episode_index, tags}) => [episode_index, tags.includes('too-long')])).toEqual([
		[12, true],
		[13, false],
	]);
	const {episodes, facets} = await exploreLocally(service, {sort: {by: 'doubt'}});
	expect(episodes.slice(0, 2).map(({episode_index}) => episode_index)).toEqual(
		expect.arrayContaining([12, 13]),
	);
	expect(facets.by_tag[0]).toEqual({value: 'suspect', count: 2});
	const metrics = (index: number) => episodes.find(({episode_index}) => episode_index === index)?.metrics;
	const reasons = (index: number) => metrics(index)?.suspect_reasons;
	expect(reasons(12)).toContain('11 s; 90 % of siblings take 3.8–4.2 s');
	expect(reasons(13)).toContain('elbow_flex rests 17 off its leader; 90 % of siblings do not: recalibrate?');
	expect(metrics(13)?.suspect_channels).toContain('action.elbow_flex.pos');
	const document = (await call(service, '/local/v1')).json<{abilities: string[]}>();
	expect(document.abilities).toEqual(expect.arrayContaining(['siblings', 'explore', 'reviews']));
});

test('what a person decides is shown at once, told of, taken back, and outlives an ingest and a killed service', async () => {
	const folder = path.join(home.root, 'kept');
	await armDataset(folder, siblings(6));
	const lake = home.lake();
	const service = await home.join(lake);
	await ingestFolder(service, folder);
	const before = await states(service);
	const {episodes} = await exploreLocally(service);
	const ids = [1, 3, 5].map(index => idOf(episodes, index));
	const reader = await readEvents(service);
	const stranger = '0b5e55ed-0000-4000-8000-000000000000';

	const set = await review(service, [...ids.map(id => id.toUpperCase()), stranger], 'rejected');
	expect(set.reviews.map(({episode_index, review_state}) => [episode_index, review_state])).toEqual([
		[1, 'rejected'],
		[3, 'rejected'],
		[5, 'rejected'],
	]);
	expect(set.reviews.map(row => row.before)).toEqual([1, 3, 5].map(index => before[index]));
	expect(set.unknown).toEqual([stranger]);
	expect((await exploreLocally(service, {review_state: 'rejected'})).total).toBe(3);
	await expect
		.poll(() => reader.events.find(({event}) => event === 'episode.review')?.data, {timeout: 20_000})
		.toContain('"episode_count":3');
	reader.close();

	await review(service, ids.slice(1, 2), 'human_audited');
	await review(service, ids.slice(2), 'unreviewed');
	const decided = before.with(1, 'rejected').with(3, 'human_audited');
	expect(await states(service)).toEqual(decided);
	const list = reviewListResponse.parse((await call(service, '/local/v1/reviews?dataset=kept')).json());
	expect(list.items.map(({episode_index, review_state}) => [episode_index, review_state])).toEqual([
		[3, 'human_audited'],
		[1, 'rejected'],
	]);
	expect(list.total_count).toBe(2);

	await ingestFolder(service, folder);
	expect(await states(service)).toEqual(decided);
	expect(endProcessesOver(lake)).toBeGreaterThan(0);
	await expect.poll(() => processesOver(lake)).toEqual([]);
	const next = await home.join(lake);
	expect(await states(next)).toEqual(decided);

	// The first is deleted: what was decided goes with the recordings. The last of them is recorded anew.
	await rm(folder, {recursive: true});
	await armDataset(folder, siblings(6).slice(1).with(2, {seconds: 4.3}));
	await ingestFolder(next, folder);
	expect((await states(next)).slice(0, 2)).toEqual(['rejected', before[2]]);
	expect((await states(next))[2]).not.toBe('human_audited');
});

test('what is no review is refused', async () => {
	const service = await home.join(home.lake());
	const post = (body: object) => call(service, '/local/v1/reviews', {body});
	expect((await post({episode_ids: [], review_state: 'rejected'})).status).toBe(422);
	expect((await post({episode_ids: ['x'], review_state: 'rejected'})).status).toBe(422);
	const id = '0b5e55ed-0000-4000-8000-000000000000';
	expect((await post({episode_ids: [id], review_state: 'auto_accepted'})).status).toBe(422);
	expect((await post({episode_ids: [id], review_state: 'rejected'})).json()).toEqual({
		reviews: [],
		unknown: [id],
	});
});
