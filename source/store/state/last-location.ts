import * as z from 'zod';
import {episodeSort} from '../../contract/local-explore.ts';
import {lakeFileName, readState, writeState} from '../../files/state.ts';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import {listIds} from './list-location.ts';
import type {Location} from './user-state.ts';

/** Where the reader of a lake was. The filter is kept as the line it is. */
const keptLocation = z.looseObject({
	lake: z.string(),
	view: z.string(),
	filter: z.string(),
	/** Another version of the program may know other orders. */
	sort: episodeSort.optional().catch(undefined),
	selected: z.int().min(0),
	offset: z.int().min(0),
	opened: z.string().optional(),
});

/** A file a lake: of explorers that end at once none takes the other's place away. */
const nameOf = (lake: string) => lakeFileName('last-place', lake);

const views = ['explore', ...listIds] as const;

/**
 * Where the last run left a lake.
 *
 * @param lake which lake it is: an address with an account, or a folder.
 */
export async function recallLocation(lake: string): Promise<Location | undefined> {
	const found = await readState(nameOf(lake), keptLocation);
	if (found?.lake !== lake) return undefined;
	const read = parse(found.filter);
	if (!read.ok) return undefined;
	const {sort, selected, offset, opened} = found;
	// Another version of the program may know other views.
	const view = views.find(each => each === found.view) ?? 'explore';
	return {view, filter: read.filter, sort, position: {selected, offset}, opened};
}

/**
 * Keeps where a lake is left.
 *
 * @returns the sentence that says why that failed.
 */
export async function keepLocation(lake: string, place: Location): Promise<string | undefined> {
	const known = await readState(nameOf(lake), keptLocation);
	const {view, filter, sort, position, opened} = place;
	return writeState(nameOf(lake), {...known, lake, view, filter: print(filter), sort, ...position, opened});
}
