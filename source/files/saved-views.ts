import {randomBytes} from 'node:crypto';
import {readdir, unlink} from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import {readDocument, writeDocument} from './document.ts';
import {fileProblem, systemCode} from './file-problem.ts';
import {places, shortPath} from './places.ts';

/** A filter with its columns and its sort, under a name. Entries of later versions are kept. */
const savedView = z.looseObject({
	name: z.string().min(1).max(200),
	/** As the filter line has it, the order included. */
	filter: z.string().max(1_000_000),
	/** By which figure, and which way; by dataset without it. Which figures there are is its reader's to know. */
	sort: z.object({by: z.string().max(200), direction: z.enum(['asc', 'desc'])}).optional(),
	/** The chosen columns; those of the start without them. */
	columns: z.array(z.string().min(1).max(200)).min(1).max(100).optional(),
});

type ViewContent = Pick<z.output<typeof savedView>, 'name' | 'filter' | 'sort' | 'columns'>;
export type SavedView = z.output<typeof savedView> & {readonly id: string};

type ViewsReading = {
	readonly views: readonly SavedView[];
	/** A sentence for each view that could not be read. */
	readonly problems: readonly string[];
};

/**
 * One file a view: explorers that save at the same time write different files, and none overwrites another's.
 */
const folder = () => path.join(places().data, 'views');
const fileOf = (id: string) => path.join(folder(), `${id}.json`);

/** The saved views, by name. */
export async function readViews(): Promise<ViewsReading> {
	const names = await readdir(folder()).catch((error: unknown) => {
		if (systemCode(error) === 'ENOENT') return [];
		throw new Error(`${shortPath(folder())} cannot be read: ${fileProblem(error)}.`, {cause: error});
	});
	const ids = names.flatMap(name => /^([0-9a-f]{16})\.json$/.exec(name)?.[1] ?? []);
	const problems: string[] = [];
	const views: SavedView[] = [];
	for (const id of ids) {
		const {value, problem} = await readDocument(fileOf(id));
		const read = savedView.safeParse(value);
		if (read.success) views.push({...read.data, id});
		// One that was deleted meanwhile is no problem.
		else if (problem !== undefined || value !== undefined) {
			problems.push(problem ?? `${shortPath(fileOf(id))} is not a saved view and is ignored.`);
		}
	}
	return {views: views.sort((a, b) => a.name.localeCompare(b.name)), problems};
}

/**
 * Saves a view; one that is given its id is written anew.
 *
 * @throws an Error whose message says why it could not be written.
 */
export async function writeView(content: ViewContent, before: SavedView | undefined): Promise<void> {
	const {id = randomBytes(8).toString('hex'), ...rest} = before ?? {};
	const problem = await writeDocument(fileOf(id), {...rest, ...content});
	if (problem !== undefined) throw new Error(problem);
}

/** @throws an Error whose message says why it could not be deleted. */
export async function deleteView({id}: SavedView): Promise<void> {
	await unlink(fileOf(id)).catch((error: unknown) => {
		if (systemCode(error) === 'ENOENT') return;
		throw new Error(`${shortPath(fileOf(id))} cannot be deleted: ${fileProblem(error)}.`, {cause: error});
	});
}
