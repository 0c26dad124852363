import {expect, test} from 'vitest';
import {ServiceError} from '../../../source/client/errors.ts';
import type {ExploreResponse} from '../../../source/contract/explore.ts';
import {SortedReading} from '../../../source/store/episodes/sorted-reading.ts';
import {emptyExplore} from '../../client/answers.ts';

const data: ExploreResponse = emptyExplore;

function reading({countsTags, localExplore}: {countsTags: boolean; localExplore?: () => Promise<never>}) {
	const asked: string[] = [];
	const signal = AbortSignal.timeout(60_000);
	const answer = async (path: string) => {
		asked.push(path);
		return {data, setAside: []};
	};
	const tagged = {...data, facets: {...data.facets, by_tag: [], by_tag_total_values: 0}};
	const sorted = new SortedReading({
		client: {
			explore: () => answer('explore'),
			localExplore: async () => {
				await answer('local');
				await localExplore?.();
				return {data: tagged, setAside: []};
			},
		},
		can: async () => true,
		countsTags: () => countsTags,
		learn: () => undefined,
	});
	return {asked, read: () => sorted.read({}, {signal})};
}

test('tags are counted in the order of the service too, where it is an embedded one', async () => {
	const own = reading({countsTags: true});
	const page = await own.read();
	expect([own.asked, page.isSorted]).toEqual([['local'], undefined]);
	const other = reading({countsTags: false});
	await other.read();
	expect(other.asked).toEqual(['explore']);
});

test('an older service that does not count them is asked for that once', async () => {
	const lacks = new ServiceError('There is no such path.', {
		status: 404,
		detail: undefined,
		issues: undefined,
		retryAfterSeconds: undefined,
	});
	const {asked, read} = reading({countsTags: true, localExplore: () => Promise.reject(lacks)});
	await read();
	await read();
	expect(asked).toEqual(['local', 'explore', 'explore']);
});
