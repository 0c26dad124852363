import * as z from 'zod';
import {episodeSort} from '../../contract/local-explore.ts';
import {readState, writeState} from '../../files/state.ts';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import {listIds} from '../list-place.ts';
import type {Place} from './place.ts';

/** Where the readers of several lakes were, the lake left last at the end. The filter is kept as the line it is. */
const kept = z.looseObject({
	lakes: z.array(
		z.looseObject({
			lake: z.string(),
			view: z.string(),
			filter: z.string(),
			/** Another version of the program may know other orders. */
			sort: episodeSort.optional().catch(undefined),
			selected: z.int().min(0),
			offset: z.int().min(0),
			opened: z.string().optional(),
		}),
	),
});

const stateName = 'last-places';

/** More lakes than anybody goes round. */
const mostLakes = 50;

const views = ['explore', ...listIds] as const;

/**
 * Where the last run left a lake.
 *
 * @param lake which lake it is: an address with an account, or a folder.
 */
export async function recallPlace(lake: string): Promise<Place | undefined> {
	const known = await readState(stateName, kept);
	const found = known?.lakes.findLast(each => each.lake === lake);
	if (found === undefined) return undefined;
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
export async function keepPlace(lake: string, place: Place): Promise<string | undefined> {
	const known = await readState(stateName, kept);
	const {view, filter, sort, position, opened} = place;
	const others = known?.lakes.filter(each => each.lake !== lake) ?? [];
	const lakes = [...others, {lake, view, filter: print(filter), sort, ...position, opened}].slice(-mostLakes);
	return writeState(stateName, {...known, lakes});
}
