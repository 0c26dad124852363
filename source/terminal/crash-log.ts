import {appendFileSync, mkdirSync} from 'node:fs';
import path from 'node:path';
import {inspect} from 'node:util';

/** Where words go that must not reach the screen. */
export type CrashLog = {
	readonly file: string;
	/** Adds an entry; failing to write is no failure of the program. @returns whether it is in the file. */
	add(heading: string, details: unknown): boolean;
	/** A text with the secrets struck out. */
	clean(text: string): string;
};

/**
 * A log that only its owner can read, written at once, as the process may be about to end.
 *
 * @param secrets what is struck out wherever it stands: keys.
 */
export function createCrashLog(file: string, secrets: () => readonly string[] = () => []): CrashLog {
	function clean(text: string): string {
		return secrets()
			.filter(secret => secret !== '')
			.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
	}

	return {
		file,
		clean,
		add(heading, details) {
			const text = details instanceof Error ? inspect(details) : String(details);
			const entry = clean(`${new Date().toISOString()} ${heading}\n${text}\n`);
			try {
				mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
				appendFileSync(file, entry, {mode: 0o600});
				return true;
			} catch {
				return false;
			}
		},
	};
}
