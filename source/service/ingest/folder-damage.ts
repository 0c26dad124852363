import {rm} from 'node:fs/promises';
import {type Damage, type DamageKind, damageKinds} from '../../lerobot/check/damage.ts';
import {findDamage} from '../../lerobot/check/find-damage.ts';
import {ReadDatabase} from '../../lerobot/read-database.ts';
import {makeStaging} from './ingest-trial.ts';

/** A damage with all that is known of its kind. */
export type FoundDamage = Damage & Omit<DamageKind, 'severity'>;

/**
 * Finds the damages of a dataset's folder, the worst first. Nothing is written to it.
 *
 * @throws the signal's reason when it was aborted.
 */
export async function findFolderDamage(folder: string, signal: AbortSignal): Promise<FoundDamage[]> {
	const spillFolder = await makeStaging();
	try {
		const database = await ReadDatabase.open({
			folders: [folder, spillFolder],
			memoryLimit: '512MB',
			spillFolder,
		});
		try {
			const found = await findDamage(database, folder, signal);
			return found.map(damage => {
				const {title, lerobot, repair} = damageKinds[damage.id];
				return {...damage, title, lerobot, repair};
			});
		} finally {
			database.close();
		}
	} finally {
		await rm(spillFolder, {recursive: true, force: true});
	}
}
