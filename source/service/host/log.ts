import {appendFileSync, copyFileSync, renameSync, statSync, truncateSync} from 'node:fs';

/** Writes a line into the service's log. */
export type Log = (line: string) => void;

/** The largest log file; one older file of the same size is kept beside it. */
const maxBytes = 1024 * 1024;

/** The longest line; a stack or a native message may be of any length. */
const maxLine = 8000;

/**
 * A log in a file that is bounded: when it is full its content moves to `FILE.1`. It is copied and then emptied, not
 * renamed, because the process's own stderr may be the same file.
 */
export function fileLog(file: string): Log {
	return line => {
		try {
			if ((statSync(file, {throwIfNoEntry: false})?.size ?? 0) > maxBytes) {
				copyFileSync(file, `${file}.new`);
				renameSync(`${file}.new`, `${file}.1`);
				truncateSync(file, 0);
			}
			appendFileSync(file, `${new Date().toISOString()} ${process.pid} ${line.slice(0, maxLine)}\n`, {
				mode: 0o600,
			});
		} catch {
			// A full disk must not end the service that could tell of it otherwise.
		}
	};
}
