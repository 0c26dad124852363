import {hubSnapshot} from '../files/hub-cache.ts';
import type {Explorer} from './explorer.ts';

/** Ingests a dataset folder of the service's machine, under the folder's name or another. */
export async function ingestFolder(
	explorer: Pick<Explorer, 'client' | 'local' | 'uploads' | 'signal' | 'notify'>,
	folder: string,
	name?: string,
): Promise<void> {
	const {client, local, uploads, signal} = explorer;
	try {
		const {data} = await client.ingest({folder, ...(name !== undefined && {name})}, {signal});
		explorer.notify('info', `Ingesting ${data.dataset_name}.`);
		local.refetchIngests();
		uploads.refetch();
	} catch (error) {
		if (!signal.aborted) explorer.notify('error', error instanceof Error ? error.message : String(error));
	}
}

/** Where a dataset is ingested from again: of a snapshot in the Hub's cache, the repository, whose refs may have moved. */
export function newestRevisionOf(folder: string): string {
	return hubSnapshot(folder)?.repository ?? folder;
}
