import type {DatabaseSync} from 'node:sqlite';
import {ServiceStartError} from '../host/start-error.ts';

/**
 * Settles at the first opening, and for good, if a lake is the sample's: a
 * sample's episodes are never shown as recordings, nor the other way round.
 *
 * @param wanted whether the caller opens it as the sample
 * @throws {ServiceStartError} when a lake of recordings is to be opened as the sample
 */
export function settleSample(database: DatabaseSync, folder: string, wanted: boolean): boolean {
	const found = database.prepare("SELECT value FROM lake WHERE name = 'sample'").get()?.value;
	if (found === undefined) {
		database.prepare("INSERT INTO lake (name, value) VALUES ('sample', ?)").run(String(wanted));
		return wanted;
	}
	if (wanted && found !== 'true') {
		throw new ServiceStartError(
			`The lake in ${folder} is one of recordings, not the sample. Leave out --sample to open it, or give the sample another folder with --lake DIR.`,
		);
	}
	return found === 'true';
}
