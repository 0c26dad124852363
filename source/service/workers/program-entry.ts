import {existsSync} from 'node:fs';
import path from 'node:path';

/**
 * An entry of the program that runs as a process of its own: beside the bundle that this code runs from (whose
 * chunks lie one folder deeper), or in the source when it runs from there.
 *
 * @param bundled the entry's file in the built program
 * @param source its file under source/service/
 */
export function programEntry(bundled: string, source: string): string {
	const here = import.meta.dirname;
	if (import.meta.filename.endsWith('.ts')) return path.resolve(here, '..', source);
	const found = [here, path.dirname(here)].map(folder => path.join(folder, bundled)).find(existsSync);
	if (!found) throw new Error(`${bundled} is not beside ${here}: build the program again`);
	return found;
}
