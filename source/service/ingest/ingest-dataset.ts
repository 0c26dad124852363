import {rm} from 'node:fs/promises';
import path from 'node:path';
import {downloadLine, hubSnapshot, shortRevision} from '../../files/hub-cache.ts';
import {DatasetError, reasonOf} from '../../lerobot/dataset-error.ts';
import {interfaceHash} from '../../lerobot/interface-hash.ts';
import {type LanguageSubtask, persistentLanguage, readLanguageSubtasks} from '../../lerobot/language.ts';
import {infoPath, locate} from '../../lerobot/layout.ts';
import {findDataColumns} from '../../lerobot/read-data-columns.ts';
import {type EpisodeFrames, readDataFile} from '../../lerobot/read-data-file.ts';
import {cutOffDamage, damageReason, parquetDamage, ReadDatabase} from '../../lerobot/read-database.ts';
import {type DatasetFolder, type DatasetIndex, openDataset, readIndex} from '../../lerobot/read-dataset.ts';
import {memoryLimit} from '../workers/inside-child.ts';
import type {Reporter} from '../workers/reporter.ts';
import type {ChildRequest} from './child-request.ts';
import {EpisodeIntake} from './episode-intake.ts';
import {StagingWriter} from './staging-writer.ts';
import {type StreamPlan, streamPlan} from './stream-plan.ts';
import {ranges, reportUnfinishedRecording} from './unfinished-recording.ts';

/**
 * Reads a dataset, measures every episode that is there, and writes what the lake is to hold into the staging
 * folder. What is broken is reported and left out.
 *
 * @throws {DatasetError} where the folder is no dataset, or nothing in it can be read.
 */
export async function ingestDataset(
	request: ChildRequest,
	reporter: Reporter,
): Promise<{episodeCount: number; totalFrames: number}> {
	reporter.progress({done: 0, total: 0, step: 'reading metadata', detail: 'meta/info.json'});
	const dataset = await openDataset(request.folder);
	const spillFolder = path.join(request.staging, 'spill');
	const database = await ReadDatabase.open({
		folders: [dataset.root, request.staging],
		memoryLimit,
		spillFolder,
	});
	try {
		const index = await readIndex(database, dataset, reporter.problem);
		const plan = streamPlan(dataset.layout);
		reportMissingFeatures(dataset, reporter);
		const writer = await StagingWriter.open(database, request.staging, plan.channels);
		const intake = new EpisodeIntake({request, dataset, index, plan, writer, reporter});
		const {files, missing, cutOff} = await readableFiles(dataset, index, reporter);
		for (const [file, absolute] of files) {
			const subtasks = await subtasksIn(database, file, absolute, reporter);
			intake.beginFile(file, {isReadable: name => files.has(name), subtasks});
			for await (const frames of episodesIn(database, file, absolute, plan, reporter))
				await intake.take(frames);
		}
		intake.reportAbsent();
		reportPartialDownload(dataset, missing, reporter);
		await reportUnfinishedRecording(
			dataset,
			{taken: intake.takenIndices, listed: index.listings.size, cutOff},
			reporter,
		);
		const {taken, totalFrames} = intake;
		if (taken === 0) throw nothingRead(request.folder, intake.expected, reporter);
		reporter.progress({done: intake.expected, total: intake.expected, step: 'writing'});
		const siblings = intake.handOver();
		await writer.finish({...description(dataset, taken, totalFrames, reporter), siblings});
		return {episodeCount: taken, totalFrames};
	} finally {
		database.close();
		await rm(spillFolder, {recursive: true, force: true});
	}
}

/** The subtasks that annotators left in a data file; none where they cannot be read, which is reported. */
async function subtasksIn(
	database: ReadDatabase,
	file: string,
	absolute: string,
	reporter: Reporter,
): Promise<ReadonlyMap<number, readonly LanguageSubtask[]>> {
	try {
		return await readLanguageSubtasks(database, absolute);
	} catch (error) {
		const message = `The subtasks in ${persistentLanguage} of ${file} cannot be read (${damageReason(error, file)}); its episodes have no markers from there.`;
		reporter.problem({file, message});
		return new Map();
	}
}

/** The readable part of a data file; the reason why the rest cannot be read is reported. */
async function* episodesIn(
	database: ReadDatabase,
	file: string,
	absolute: string,
	{wanted, expected}: StreamPlan,
	reporter: Reporter,
): AsyncGenerator<EpisodeFrames> {
	try {
		const columns = await findDataColumns(database, absolute, wanted, expected);
		for (const complaint of columns.complaints) reporter.problem({file, message: `${file} ${complaint}.`});
		if (columns.bookkeeping.episode_index === undefined) return;
		yield* readDataFile(database, absolute, columns);
	} catch (error) {
		const reason = damageReason(error, file);
		reporter.problem({file, message: `${file} cannot be read to its end (${reason}).`});
	}
}

/** The data files that are there and look whole, with their real paths; how many are missing, and whether one has no end. The others are reported. */
async function readableFiles(
	{root}: DatasetFolder,
	{dataFiles, listings}: DatasetIndex,
	reporter: Reporter,
): Promise<{files: Map<string, string>; missing: number; cutOff: boolean}> {
	const files = new Map<string, string>();
	let missing = 0;
	let cutOff = false;
	const episodesOf = Map.groupBy(listings.values(), ({dataFile}) => dataFile);
	for (const file of dataFiles) {
		const located = await locate(root, file);
		const damage = located.found
			? await parquetDamage(located.path).catch(reason => `cannot be read (${reasonOf(reason)})`)
			: located.reason === 'outside'
				? 'leads out of the dataset, where nothing is read'
				: `is ${located.reason}`;
		if (located.found && damage === null) {
			files.set(file, located.path);
			continue;
		}
		cutOff ||= damage === cutOffDamage;
		if (!located.found && located.reason !== 'outside') missing++;
		const lost = episodesOf.get(file) ?? [];
		const episodes = ranges(lost.map(({episodeIndex}) => episodeIndex));
		const consequence =
			lost.length === 0
				? ''
				: `, so that ${lost.length === 1 ? `episode ${episodes} is` : `episodes ${episodes} are`} left out`;
		reporter.problem({file, message: `${file} ${damage}${consequence}.`});
	}
	return {files, missing, cutOff};
}

/** A snapshot of the Hub's cache may hold the metadata alone, or the files of some episodes. */
function reportPartialDownload({root}: DatasetFolder, missing: number, reporter: Reporter): void {
	const snapshot = hubSnapshot(root);
	const lacksVideos = reporter.problems.some(problem => problem.prevents_training);
	if (snapshot === undefined || (missing === 0 && !lacksVideos)) return;
	reporter.problem({
		file: '.',
		message: `Snapshot ${shortRevision(snapshot.revision)} of ${snapshot.repoId} was downloaded in part, or blobs of it were removed. Download the rest: ${downloadLine(snapshot)}`,
	});
}

function reportMissingFeatures({layout}: DatasetFolder, reporter: Reporter): void {
	for (const stream of ['action', 'state'] as const) {
		if (layout[stream]) continue;
		reporter.problem({
			file: infoPath,
			message: `${infoPath} declares no ${stream} feature; every episode is only fit to be analyzed.`,
		});
	}
}

/** An empty generation is never published: it would take the place of a dataset whose files were lost. */
function nothingRead(folder: string, expected: number, reporter: Reporter): DatasetError {
	if (expected === 0) {
		return new DatasetError(
			`${folder} holds no episode: its metadata lists none, and it has no data files. Record into it first, or name the folder that holds the recording.`,
		);
	}
	// Missing videos are not why no frame is there.
	const reason = reporter.problems.find(({file}) => !file?.startsWith('videos')) ?? reporter.problems[0];
	const first = reason?.message;
	const count = expected === 1 ? 'Its one episode' : `None of its ${expected} episodes`;
	return new DatasetError(
		`Nothing of ${folder} can be read. ${count} ${expected === 1 ? 'is not there' : 'is there'}. ${first ?? ''}`.trim(),
	);
}

function description(
	{root, info, layout}: DatasetFolder,
	totalEpisodes: number,
	totalFrames: number,
	reporter: Reporter,
): object {
	const snapshot = hubSnapshot(root);
	return {
		format: info.codebase_version,
		robot_type: info.robot_type ?? null,
		fps: info.fps,
		interface_hash: interfaceHash(info, layout),
		subtype: 'lerobot_v3',
		total_episodes: totalEpisodes,
		total_frames: totalFrames,
		cameras: layout.cameras,
		features: Object.fromEntries(
			Object.entries(info.features).map(([key, {dtype, shape, names}]) => [
				key,
				{dtype, shape, names: names ?? null},
			]),
		),
		...(snapshot && {metadata: {hub_repo_id: snapshot.repoId, hub_revision: snapshot.revision}}),
		problems: reporter.problems,
	};
}
