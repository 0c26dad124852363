import {existsSync} from 'node:fs';
import path from 'node:path';
import type {Session} from './session.ts';

/**
 * The folder of this machine that the dataset of a name was ingested from: an upload under that name is refused.
 * Undefined where the name is free, or is that of an uploaded dataset, or the service keeps no such list.
 */
export async function nameHolder(
	{client}: Session,
	name: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	const document = await client.localDocument({signal});
	if (document === undefined) return undefined;
	const {data} = await client.listIngests({signal});
	const newest = data.items.find(
		({dataset_name, status}) => dataset_name === name && status.phase !== 'failed',
	);
	if (newest === undefined || newest.folder.startsWith(document.lake.folder + path.sep)) return undefined;
	return existsSync(newest.folder) ? newest.folder : undefined;
}

/** The refusal of an upload whose name belongs to a folder of this machine. */
export function takenWords(name: string, folder: string): string {
	return `The lake has a dataset named ${name} already, from ${folder}, so an upload needs another name: lakescope upload DIR --name NAME. Ingest its changes with: lakescope ingest`;
}
