/** Milliseconds between two looks at the parent. */
const pause = 1000;

/**
 * Ends this process when the one that started it is gone: its output would have no reader. Its stdin says
 * nothing of that, as the service closes it once the request is written.
 */
export function endWithParent(): void {
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) process.exit(1);
	}, pause).unref();
	// The reader has gone.
	process.stdout.on('error', () => process.exit(1));
}

/** DuckDB's memory limit; a file is read row group by row group, so that no dataset needs more. */
export const memoryLimit = '512MB';
