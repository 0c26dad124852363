import {ServiceStartError} from '../host/start-error.ts';
import {duckDbFiles} from '../lake/duckdb/lake-files.ts';
import {type LakeEngine, LakeError, type LakeFiles} from '../lake/engine.ts';

/*
 * The lake's engine is chosen here: DuckDB.
 */

/** The engine's files in a lake's folder. */
export const lakeFiles: LakeFiles = duckDbFiles;

/** Loads the engine's code, which takes as long as the folder takes to be checked. */
export const loadEngine = () => import('../lake/duckdb/duckdb-lake.ts');

/**
 * Begins to open the lake, which needs no more of this thread.
 *
 * @param work where the engine may write, if the lake can only be read
 */
export async function beginOpening(
	folder: string,
	work: string | undefined,
): Promise<{lake: Promise<LakeEngine>}> {
	const {DuckDbLake} = await loadEngine();
	const lake = DuckDbLake.open(folder, work).catch(error => {
		if (error instanceof LakeError) throw new ServiceStartError(error.message, {cause: error});
		throw error;
	});
	lake.catch(() => undefined);
	return {lake};
}
