import type {FirstItems, OpenPage} from '../client/first-items.ts';
import {exactJson, visibleJson} from '../contract/json-text.ts';
import {type CommandLine, wholeNumber} from './flags.ts';
import {withOwnService} from './own-service.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {outputWidth, printLeftOut, say, write} from './print/output.ts';
import {type Column, table} from './print/table.ts';
import type {Session} from './session.ts';
import {readSettings} from './settings.ts';

/** A column and what stands in it; one in which nothing stands is left away. */
export type Field<Item> = Column & {readonly of: (item: Item) => string | undefined};

const defaultLimit = 50;
const mostItems = 100_000;

/** A listing: its columns and how its rows are fetched. */
type ListingCommand<Item, Page extends OpenPage<Item>> = {
	/** The command, which is also what is listed. */
	readonly name: 'jobs' | 'models' | 'projects' | 'uploads';
	readonly get: (session: Session, wanted: number) => Promise<FirstItems<Page>>;
	/** The fields of a table of these items; may ask for more of them. */
	readonly fields: (items: readonly Item[], session: Session) => Promise<readonly Field<Item>[]>;
};

/** Lines of a table, without the columns in which nothing stands. */
export function fieldTable<Item>(
	fields: readonly Field<Item>[],
	items: readonly Item[],
	width: number,
): readonly string[] {
	const shown = fields
		.map(field => ({field, cells: items.map(item => field.of(item) ?? '')}))
		.filter(({cells}) => cells.some(cell => cell !== ''));
	const rows = items.map((_, row) => shown.map(({cells}) => cells[row] ?? ''));
	return table(
		shown.map(({field}) => field),
		rows,
		width,
	);
}

/** Carries out `lakescope jobs` and its like: a table, or with `--json` the service's own shape. */
export async function listingCommand<Item, Page extends OpenPage<Item>>(
	{words, flags}: CommandLine,
	{name, get, fields}: ListingCommand<Item, Page>,
): Promise<number> {
	if (words.length > 0) throw new UsageError(`lakescope ${name} takes no "${words[0]}".`);
	const wanted = wholeNumber('limit', flags.limit, {min: 1, max: mostItems}) ?? defaultLimit;
	return withOwnService(await readSettings(flags), async session => {
		const {listing, hasMore, leftOut, goesRound} = await get(session, wanted);
		if (goesRound) throw new Error('The service returns the same page of its listing again and again.');
		const {items} = listing;
		printLeftOut(leftOut);
		if (flags.json) await write(`${visibleJson(exactJson(listing))}\n`);
		else if (items.length === 0) say(`There are no ${name}.`);
		else {
			const lines = fieldTable(await fields(items, session), items, outputWidth());
			await write(lines.map(line => `${line}\n`).join(''));
			if (hasMore) say(`These are the first ${items.length}; there may be more: --limit N.`);
		}
		return exitCodes.fine;
	});
}
