import {amongIntegers} from './literals.ts';
import type {Server} from './server.ts';

/** An answer that is bound to a generation takes no longer than this after the next one is there. */
const readersMinutes = 10;

/**
 * Takes out the generations that a later one has replaced for so long that nothing reads them any more, and what
 * publications left that were broken off before such a one.
 *
 * @param cluster the cluster that the tables are spread over; '' for none
 */
export async function sweep(server: Server, cluster: string, minutes = readersMinutes): Promise<void> {
	const stale = await server.rows<{generation_key: number}>(
		`SELECT c.generation_key AS generation_key FROM claim c INNER JOIN (
			SELECT dataset_name, max(edition) AS last FROM dataset
			WHERE written <= now64(3) - INTERVAL ${minutes} MINUTE GROUP BY dataset_name
		) d ON d.dataset_name = c.dataset_name WHERE c.edition < d.last`,
	);
	if (stale.length === 0) return;
	const keys = stale.map(({generation_key}) => generation_key);
	const on = cluster === '' ? '' : `ON CLUSTER '${cluster}'`;
	const local = cluster === '' ? '' : '_local';
	// The claims go last, so that what is broken off is found again.
	for (const table of [`episode${local}`, `profile${local}`, `slots${local}`, 'dataset', 'claim']) {
		await server.run(`DELETE FROM ${table} ${on} WHERE ${amongIntegers('generation_key', keys)}`);
	}
}
