import {createHash} from 'node:crypto';
import path from 'node:path';
import type {QueryClient} from '@tanstack/query-core';
import * as z from 'zod';
import {parseJson} from '../../client/json.ts';
import {exploreResponse} from '../../contract/explore.ts';
import {exactJson} from '../../contract/json-text.ts';
import {readShaped, writeDocument} from '../../files/document.ts';
import {places} from '../../files/places.ts';
import type {ExplorePage} from '../queries/explore-result.ts';
import {exploreKey} from './pages.ts';

/** The kept file: the page as JSON text of its own, because plain JSON would round its 64-bit integers. */
const keptPage = z.object({lake: z.string(), readAt: z.number(), page: z.string()});

/** Older than this it says more about the past than about the lake. */
const keptForMs = 30 * 86_400_000;

/** The unfiltered first page: what a start shows first. */
const firstPage = exploreKey({}, 0);

function fileOf(lake: string): string {
	const name = createHash('sha256').update(lake).digest('hex').slice(0, 16);
	return path.join(places().cache, `first-page-${name}.json`);
}

/**
 * Puts the first page that an earlier run read into the cache, unless a newer one is there, so that there is something
 * to look at while the service answers. It shows as stale until then.
 *
 * @param lake which lake it is: an address with an account, or a folder.
 */
export async function recallFirstPage(queries: QueryClient, lake: string): Promise<void> {
	const kept = await readShaped(fileOf(lake), keptPage);
	if (kept === undefined || kept.lake !== lake || Date.now() - kept.readAt > keptForMs) return;
	const page = readPage(kept.page);
	// The service may have answered meanwhile.
	if (page === undefined || queries.getQueryData(firstPage) !== undefined) return;
	queries.setQueryData(firstPage, page, {updatedAt: kept.readAt});
}

function readPage(text: string): ExplorePage | undefined {
	try {
		const read = exploreResponse.safeParse(parseJson(text));
		return read.success ? {data: read.data, setAside: []} : undefined;
	} catch {
		// A file of the cache that cannot be read is as good as none.
		return undefined;
	}
}

/** Keeps the first page for the next run, readable to this user alone. */
export async function keepFirstPage(queries: QueryClient, lake: string): Promise<void> {
	const state = queries.getQueryState<ExplorePage>(firstPage);
	if (state?.data === undefined) return;
	await writeDocument(fileOf(lake), {lake, readAt: state.dataUpdatedAt, page: exactJson(state.data.data)});
}
