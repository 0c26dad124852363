import type {LakeFiles} from '../engine.ts';

/** DuckDB keeps a lake in one file, with its log beside it, and spills what does not fit into memory into a folder. */
export const duckDbFiles: LakeFiles = {
	database: 'lake.duckdb',
	temporary: 'lake.duckdb.tmp',
};
