import {type Ingested, ingest, inWorkFolders} from './ingest-run.ts';

/** The folder that each test of the importing file has to itself. */
export let root: string;

/** Where its dataset goes, within that. */
export let dataset: string;

inWorkFolders(folder => {
	({root, dataset} = folder);
});

/** Ingests its dataset. */
export const take = (): Promise<Ingested> => ingest(dataset, root);

/** Four episodes in two data files: one is left when the other is damaged. */
export const four = {episodes: [{}, {}, {}, {}], episodesPerFile: 2};
