import type {ReportProblem} from './dataset-error.ts';
import {locate} from './layout.ts';
import {damageReason, parquetDamage, type ReadDatabase} from './read-database.ts';
import {quotedIdentifier, quotedString} from './sql.ts';

/** How pandas spells an index without a name; real datasets keep the text there, the newest in its own column. */
const unnamedIndex = '__index_level_0__';

/**
 * Reads `meta/tasks.parquet` or `meta/subtasks.parquet`: a number and its text a row.
 *
 * @param root the dataset's root as `realpath` gives it.
 * @returns the texts by number; none where the file is missing or broken, which is reported.
 */
export async function readNames(
	database: ReadDatabase,
	root: string,
	file: string,
	kind: 'task' | 'subtask',
	report: ReportProblem,
): Promise<ReadonlyMap<number, string>> {
	const names = new Map<number, string>();
	const consequence = `frames have no ${kind} names`;
	const located = await locate(root, file);
	if (!located.found) {
		report({file, message: `${file} is ${located.reason}; ${consequence}.`});
		return names;
	}
	try {
		const damage = await parquetDamage(located.path);
		if (damage) {
			report({file, message: `${file} ${damage}; ${consequence}.`});
			return names;
		}
		const columns = await database.columnsOf(located.path);
		const number = `${kind}_index`;
		const text = [kind, unnamedIndex].find(name => columns.has(name));
		if (!columns.has(number) || !text) {
			const wanted = `"${number}" and "${kind}" or "${unnamedIndex}"`;
			report({file, message: `${file} lacks the columns ${wanted}; ${consequence}.`});
			return names;
		}
		const query = `SELECT TRY_CAST(${number} AS DOUBLE), CAST(${quotedIdentifier(text)} AS VARCHAR)
			FROM read_parquet(${quotedString(located.path)})`;
		const rows = await database.readTwice(from => from.query(query));
		for (const [index, name] of rows.getRows()) {
			if (typeof index === 'number' && typeof name === 'string') names.set(index, name);
		}
	} catch (error) {
		report({file, message: `${file} cannot be read (${damageReason(error, file)}); ${consequence}.`});
	}
	return names;
}
