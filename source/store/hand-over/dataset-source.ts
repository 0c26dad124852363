import path from 'node:path';
import type {Client} from '../../client/client.ts';
import {lerobotHome} from '../../files/datasets-on-disk.ts';
import type {LocalKnowledge} from '../local-watch.ts';

/** Where LeRobot finds a dataset: `ORG/NAME`, and its folder where that does not follow from the name. */
export type DatasetSource = {readonly repoId: string; readonly root: string | undefined};

type Asked = {
	readonly client: Pick<Client, 'listDatasets'>;
	readonly local: Pick<LocalKnowledge, 'document' | 'ingests'>;
};

/** The source of a dataset that was read from a folder of this machine. */
export function sourceOfFolder(name: string, folder: string): DatasetSource {
	const below = path.relative(lerobotHome(), folder);
	const parts = below.split(path.sep);
	const isKnown = parts.length === 2 && !parts.includes('..') && !path.isAbsolute(below);
	return isKnown ? {repoId: parts.join('/'), root: undefined} : {repoId: `local/${name}`, root: folder};
}

/** Where LeRobot finds the dataset of an episode. */
export async function sourceOf(
	{client, local}: Asked,
	{dataset_id, dataset_name}: {dataset_id: string; dataset_name: string},
	signal: AbortSignal,
): Promise<DatasetSource> {
	const ingest = local.ingests.find(
		({repo_id, status}) => repo_id === dataset_id && status.phase === 'finalized',
	);
	if (ingest !== undefined) return sourceOfFolder(dataset_name, ingest.folder);
	const {data} = await client.listDatasets({search: dataset_name}, {signal});
	const item = data.items.find(({artifact_id}) => artifact_id === dataset_id);
	return {repoId: item?.path ?? dataset_name, root: undefined};
}
