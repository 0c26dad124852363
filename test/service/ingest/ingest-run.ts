import {mkdtemp, readFile, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach} from 'vitest';
import {ingestDataset} from '../../../source/service/ingest/ingest-dataset.ts';
import {type ReportedProblem, Reporter} from '../../../source/service/workers/reporter.ts';
import {readParquet} from '../../support/parquet.ts';

export const datasetId = '11111111-2222-5333-8444-555555555555';

export type StagedRow = Record<string, unknown>;

export type Ingested = {
	readonly episodes: readonly StagedRow[];
	readonly channels: readonly StagedRow[];
	readonly dataset: Record<string, unknown> & {problems: ReportedProblem[]};
	/** The messages of the problems, for reading. */
	readonly messages: readonly string[];
	readonly episodeCount: number;
	readonly totalFrames: number;
};

/** A fresh folder with a place for a dataset in it; `remove` it at the end. */
export async function workFolder(): Promise<{root: string; dataset: string; remove: () => Promise<void>}> {
	const root = await realpath(await mkdtemp(path.join(tmpdir(), 'lakescope-ingest-')));
	return {root, dataset: path.join(root, 'lab', 'cubes'), remove: () => rm(root, {recursive: true})};
}

/** Gives each test of a file a folder of its own. @param begin told of it before each test */
export function inWorkFolders(begin: (folder: {root: string; dataset: string}) => void): void {
	let folder: Awaited<ReturnType<typeof workFolder>>;
	beforeEach(async () => {
		folder = await workFolder();
		begin(folder);
	});
	afterEach(() => folder.remove());
}

export const indicesOf = ({episodes}: Ingested) => episodes.map(({episode_index}) => episode_index);

export const tiersOf = ({episodes}: Ingested) => episodes.map(({tier}) => tier);

/** Ingests a dataset in this process and reads back what it hands over. */
export async function ingest(folder: string, root: string): Promise<Ingested> {
	const staging = await mkdtemp(path.join(root, 'staging-'));
	const reporter = new Reporter(() => {});
	const counts = await ingestDataset(requestFor(folder, staging), reporter);
	return {...counts, ...(await readStaging(staging))};
}

export function requestFor(folder: string, staging: string) {
	return {operation_id: 'test', folder, dataset_name: 'cubes', dataset_id: datasetId, staging};
}

/** What lies in a staging folder. */
export async function readStaging(staging: string): Promise<Omit<Ingested, 'episodeCount' | 'totalFrames'>> {
	const dataset = JSON.parse(
		await readFile(path.join(staging, 'dataset.json'), 'utf8'),
	) as Ingested['dataset'];
	return {
		episodes: await readParquet(path.join(staging, 'episodes.parquet')),
		channels: await readParquet(path.join(staging, 'channels.parquet')),
		dataset,
		messages: dataset.problems.map(({message}) => message),
	};
}

/** The `details` of a staged episode. */
export function detailsOf(episode: StagedRow | undefined): Record<string, string[]> {
	const text = episode?.details;
	return typeof text === 'string' ? (JSON.parse(text) as Record<string, string[]>) : {};
}
