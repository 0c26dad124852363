import {randomUUID} from 'node:crypto';
import {mkdir, mkdtemp, readdir, rm} from 'node:fs/promises';
import path from 'node:path';
import type {IngestProblem, IngestProgress} from '../../contract/local.ts';
import {places} from '../../files/places.ts';
import {datasetId} from '../host/identity.ts';
import {childBounds} from '../workers/bounded-child.ts';
import {runIngest} from './ingest-run.ts';

/** The result that an ingest of a folder would have. */
export type IngestTrial = {
	/** The reason why nothing would be ingested; undefined if something would. */
	readonly refusal: string | undefined;
	/** The problems found: the first of them, and their number. */
	readonly problems: readonly IngestProblem[];
	readonly problemCount: number;
	/** A training on the dataset would fail. */
	readonly preventsTraining: boolean;
	/** Episodes it would take in, of so many that should be there. */
	readonly episodes: number;
	readonly expectedEpisodes: number;
	readonly frames: number;
};

const trialsFolder = () => path.join(places().cache, 'trials');

function runs(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** A folder for what the trial reads; those that killed programs left are removed. */
export async function makeStaging(): Promise<string> {
	const folder = trialsFolder();
	await mkdir(folder, {recursive: true, mode: 0o700});
	for (const name of await readdir(folder)) {
		if (runs(Number.parseInt(name, 10))) continue;
		await rm(path.join(folder, name), {recursive: true, force: true});
	}
	return mkdtemp(path.join(folder, `${process.pid}-`));
}

/**
 * Reads a dataset as an ingest does, in a child of its own with an ingest's bounds, and publishes nothing: what it
 * says is what the ingest will say.
 *
 * @throws the signal's reason when it was aborted.
 */
export async function tryIngest(
	folder: string,
	name: string,
	{signal, onProgress}: {signal: AbortSignal; onProgress: (progress: IngestProgress) => void},
): Promise<IngestTrial> {
	const staging = await makeStaging();
	let expectedEpisodes = 0;
	try {
		const outcome = await runIngest({
			request: {
				operation_id: randomUUID(),
				folder,
				dataset_name: name,
				dataset_id: datasetId(name),
				staging,
			},
			bounds: childBounds(),
			signal,
			onStarted: () => undefined,
			onProgress(progress) {
				if (progress.unit === 'episodes') expectedEpisodes = progress.total;
				onProgress(progress);
			},
		});
		signal.throwIfAborted();
		const isDone = outcome.kind === 'done';
		return {
			refusal: outcome.kind === 'failed' ? outcome.message : undefined,
			problems: outcome.problems,
			problemCount: outcome.problemCount,
			preventsTraining: outcome.preventsTraining,
			episodes: isDone ? outcome.episodeCount : 0,
			expectedEpisodes,
			frames: isDone ? outcome.totalFrames : 0,
		};
	} finally {
		await rm(staging, {recursive: true, force: true});
	}
}
