import {readFile} from 'node:fs/promises';
import path from 'node:path';
import {datasetName} from '../contract/episode.ts';
import type {IngestProblem} from '../contract/local.ts';
import {usualDatasetName} from '../files/hub-cache.ts';
import {type IngestTrial, tryIngest} from '../service/front-door.ts';
import {counted} from '../terminal/quantity.ts';
import {type FolderListing, listFolder} from '../upload/folder-listing.ts';
import type {ProgressDisplay} from './print/progress.ts';
import {problemLine} from './print/table.ts';

/** The problems of a dataset, found before a byte of it is sent. */
export type DatasetCheck = {
	readonly folder: string;
	readonly name: string;
	readonly listing: FolderListing;
	readonly trial: IngestTrial;
	/** Why it could not become a dataset at all. */
	readonly refusal: string | undefined;
	/** Parts that an upload would leave out, a sentence each. */
	readonly losses: readonly string[];
	/** By file and episode: what cannot be sent, then what the ingest found. */
	readonly problems: readonly IngestProblem[];
	readonly problemCount: number;
	/** Why a training on it would fail: a sentence each; empty where none would. */
	readonly untrainable: readonly string[];
	/** Why a training may fail, depending on its version. */
	readonly warnings: readonly string[];
};

const nothing: FolderListing = {files: [], bytes: 0, problems: [], leftOut: []};

function nameProblem(name: string): string | undefined {
	if (datasetName.safeParse(name).success) return undefined;
	return `The folder's name, ${JSON.stringify(name)}, cannot be a dataset's: that takes 1 to 128 letters, digits, dots, underscores or hyphens, the first a letter or digit. Give a name with --name NAME.`;
}

function lossesOf(listing: FolderListing, {refusal, episodes, expectedEpisodes}: IngestTrial): string[] {
	const losses: string[] = [];
	if (listing.problems.length > 0) losses.push(`${counted(listing.problems.length, 'file')} cannot be sent`);
	const lost = expectedEpisodes - episodes;
	if (refusal === undefined && lost > 0) {
		losses.push(`${lost} of its ${counted(expectedEpisodes, 'episode')} would be left out`);
	}
	return losses;
}

/** Problems that are repeated as the reason why nothing can be trained. */
const mostReasons = 3;

function untrainableOf({problems, preventsTraining}: IngestTrial): string[] {
	if (!preventsTraining) return [];
	const found = problems.filter(({prevents_training}) => prevents_training);
	const more = found.length - mostReasons;
	return [
		...found.slice(0, mostReasons).map(({message}) => message),
		...(more > 0 ? [`and ${counted(more, 'more video')} missing`] : []),
		...(found.length === 0 ? ['Videos that it names are missing.'] : []),
	];
}

/** Trainers that read v3.0 alone refuse what is older. */
async function versionWarnings(folder: string): Promise<string[]> {
	try {
		const {codebase_version: version} = JSON.parse(
			await readFile(path.join(folder, 'meta/info.json'), 'utf8'),
		);
		if (typeof version !== 'string' || !/^v2/.test(version)) return [];
		return [
			`Current trainers read v3.0, but this is ${version}: convert it first (lerobot's ${/^v?2\.0/.test(version) ? 'convert_dataset_v20_to_v21, then ' : ''}convert_dataset_v21_to_v30).`,
		];
	} catch {
		// The trial reports unreadable files.
		return [];
	}
}

/** Finds what would fail in an upload and its ingest, by listing the files and trying the ingest. */
export async function checkDataset(
	folder: string,
	givenName: string | undefined,
	{display, signal}: {display: ProgressDisplay; signal: AbortSignal},
): Promise<DatasetCheck> {
	const name = givenName ?? usualDatasetName(folder);
	const show = (done?: number, total?: number) =>
		display.show({subject: name, step: 'checking', done, total, unit: 'episodes'});
	show();
	const trial = await tryIngest(folder, name, {signal, onProgress: ({done, total}) => show(done, total)});
	// Where nothing was found, not even something broken, this is no dataset, and may be any folder of the machine.
	const isNone = trial.refusal !== undefined && trial.problemCount === 0;
	const listing = isNone ? nothing : await listFolder(folder, signal);
	display.clear();
	return {
		folder,
		name,
		listing,
		trial,
		refusal: nameProblem(name) ?? trial.refusal,
		losses: lossesOf(listing, trial),
		problems: [
			...listing.problems.map(({file, message}) => ({file, message: `${file} ${message}`})),
			...trial.problems,
		],
		problemCount: listing.problems.length + trial.problemCount,
		untrainable: untrainableOf(trial),
		warnings: trial.refusal === undefined ? await versionWarnings(folder) : [],
	};
}

/** Every problem a line, and how many more there are. */
export function problemLines({problems, problemCount}: DatasetCheck): string[] {
	const more = problemCount - problems.length;
	return [...problems.map(problemLine), ...(more > 0 ? [`  and ${counted(more, 'more problem')}`] : [])];
}
