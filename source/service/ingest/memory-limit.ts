/** What DuckDB may take; a file is read row group by row group, so that no dataset needs more. */
export const memoryLimit = '512MB';
