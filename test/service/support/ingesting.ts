import {expect} from 'vitest';
import type {LakeEpisode} from '../../../source/contract/episode.ts';
import {localExploreResponse} from '../../../source/contract/local-explore.ts';
import {type Address, call} from './call.ts';

/** Ingests a dataset and waits until it is in the lake. */
export async function ingestFolder(service: Address, folder: string, name?: string): Promise<void> {
	const answer = await call(service, '/local/v1/ingests', {body: {folder, ...(name && {name})}});
	expect([answer.status, answer.text]).toEqual([202, expect.anything()]);
	const {operation_id} = answer.json<{operation_id: string}>();
	const status = async () =>
		(await call(service, `/v1/datasets/sync-status/${operation_id}`)).json<{done: boolean; phase: string}>();
	await expect.poll(async () => (await status()).done, {timeout: 60_000, interval: 20}).toBe(true);
	expect(await status()).toMatchObject({phase: 'finalized'});
}

/** `POST /local/v1/explore`. */
export async function exploreLocally(service: Address, request: object = {}) {
	const answer = await call(service, '/local/v1/explore', {body: {limit: 200, ...request}});
	expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
	return localExploreResponse.parse(answer.json());
}

/** The id of an episode by its place. */
export function idOf(episodes: readonly LakeEpisode[], index: number, dataset?: string): string {
	const found = episodes.find(
		episode => episode.episode_index === index && (dataset ?? episode.dataset_name) === episode.dataset_name,
	);
	if (!found) throw new Error(`there is no episode ${index}`);
	return found.episode_id;
}
