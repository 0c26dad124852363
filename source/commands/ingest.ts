import type {Client} from '../client/client.ts';
import {RequestError, ServiceError} from '../client/errors.ts';
import type {IngestRecord} from '../contract/local.ts';
import {suspectTag} from '../contract/local-explore.ts';
import type {SyncStatus} from '../contract/sync-status.ts';
import {usualDatasetName} from '../files/hub-cache.ts';
import {shortPath} from '../files/places.ts';
import {worstFirst} from '../store/episodes/sort.ts';
import {generationWords} from '../store/uploads/upload-entry.ts';
import {printable} from '../terminal/printable.ts';
import {counted} from '../terminal/quantity.ts';
import {joinLake} from './chosen-service.ts';
import {datasetsAt, noDatasetIn} from './dataset-folders.ts';
import type {CommandLine} from './flags.ts';
import {type BegunIngest, ingestDataset} from './ingest-dataset.ts';
import {interruptible} from './interruption.ts';
import {exitCodes, refusalOf, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {type ProgressDisplay, progressDisplay, type Step} from './print/progress.ts';
import {problemLine} from './print/table.ts';
import {rejoining} from './rejoin.ts';
import {readSettings, refuseReadOnly, type Settings} from './settings.ts';

/** How often an embedded service that goes away is joined again. */
const mostJoins = 5;

function printProblems({dataset_name, problems, problem_count}: IngestRecord): void {
	if (problem_count === 0) return;
	say(`${dataset_name}: ${counted(problem_count, 'problem')}`);
	for (const problem of problems) say(problemLine(problem));
	if (problem_count > problems.length)
		say(`  and ${counted(problem_count - problems.length, 'more problem')}`);
}

/** How the ingest of several folders ended. */
export type IngestedFolders = {
	readonly taken: readonly Ingested[];
	/** Which were refused and why, a sentence each. */
	readonly refused: readonly string[];
};

/** A dataset that is in the lake now. */
export type Ingested = {
	readonly name: string;
	readonly episodes: number;
	/** Undefined where there are too few siblings to tell. */
	readonly suspects: number | undefined;
	/** How many of those are copies of other episodes. @default 0 */
	readonly copies?: number;
};

/** Ingests one dataset and prints how that ended. @returns why it was refused, if it was */
async function ingestFolder(
	client: Client,
	{folder, name}: {readonly folder: string; readonly name: string | undefined},
	means: {
		readonly begun: BegunIngest;
		readonly display: ProgressDisplay;
		readonly signal: AbortSignal;
		/** Another report follows on the standard output. */
		readonly isQuiet: boolean;
	},
): Promise<Ingested | {readonly refusal: string}> {
	const {display} = means;
	const shown = name ?? usualDatasetName(folder);
	try {
		const record = await ingestDataset(client, {folder, ...(name === undefined ? {} : {name})}, means);
		printProblems(record);
		const {phase, message, episode_count} = record.status;
		if (phase !== 'finalized') {
			const refusal = `${record.dataset_name}: ${message ?? `it ended as ${phase}`}`;
			say(refusal);
			return {refusal};
		}
		const done = `${record.dataset_name}: ${ingestedWords(record.status)}`;
		const episodes = Number(episode_count ?? 0);
		const dataset = {id: record.repo_id, name: record.dataset_name, episodes};
		if (means.isQuiet) {
			say(done);
			return {name: dataset.name, episodes, suspects: undefined};
		}
		await write(`${done}\n`);
		return {name: dataset.name, episodes, ...(await printSuspects(client, dataset))};
	} catch (error) {
		// A refusal of one dataset leaves the others; an unreachable service ends them all.
		if (!(error instanceof RequestError) && !(error instanceof ServiceError)) throw error;
		display.clear();
		const refusal = `${shown}: ${refusalOf(error)}`;
		say(refusal);
		return {refusal};
	}
}

/** Says of which of several datasets something is shown; while it is not known how far that one is, how far all are. */
function numbered(display: ProgressDisplay, place: number, count: number): ProgressDisplay {
	if (count === 1) return display;
	const far = {done: place, total: count, unit: 'datasets'};
	const show = (step: Step) => {
		const subject = `${place + 1}/${count} ${step.subject}`;
		display.show({...step, ...(step.total ? {} : far), subject});
	};
	return {...display, show};
}

/** How long a service may take to say that it gave an ingest up. */
const cancelMs = 5000;

/**
 * Says what becomes of an ingest whose command is ended: what still waits for its turn is cancelled. What runs goes on,
 * since the service does the work and not this command.
 */
async function printLeft(
	client: Client,
	record: IngestRecord | undefined,
	lakeFolder: string,
): Promise<void> {
	const lake = `--lake ${shortPath(lakeFolder)}`;
	const look = `Look with: lakescope ${lake}`;
	if (record === undefined) {
		say(`The ingest that began continues in the background; the next ones are skipped. ${look}`);
		return;
	}
	const {operation_id, dataset_name, status} = record;
	if (status.phase === 'queued') {
		const signal = AbortSignal.timeout(cancelMs);
		const cancelled = await client.cancelIngest(operation_id, {signal}).catch(() => undefined);
		if (cancelled?.data.status.phase === 'failed') {
			say(`${dataset_name} was still queued: its ingest is cancelled, and the next ones are skipped.`);
			return;
		}
	}
	say(`The ingest of ${dataset_name} continues in the background; the next ones are skipped. ${look}`);
	say(`End it with: lakescope api POST /local/v1/ingests/${operation_id}/cancel ${lake}`);
}

/**
 * Ingests datasets into a lake of this machine, one after the other.
 *
 * @throws {InterruptedError} on ^C and its like, after it was said what goes on
 */
export async function ingestFolders(
	{lakeFolder}: Pick<Settings, 'lakeFolder'>,
	folders: readonly string[],
	name?: string,
	{isQuiet = false} = {},
): Promise<IngestedFolders> {
	const display = progressDisplay();
	const taken: Ingested[] = [];
	const refused: string[] = [];
	let place = 0;
	let begun: BegunIngest = {};
	const onGone = () => {
		display.clear();
		say('The embedded service stopped; another one continues.');
	};
	const join = () => joinLake(lakeFolder);
	return interruptible(ended =>
		rejoining({join, mostJoins, signal: ended, onGone}, async ({client}, signal) => {
			try {
				for (; place < folders.length; place++, begun = {}) {
					const folder = folders[place] ?? '';
					const means = {begun, display: numbered(display, place, folders.length), signal, isQuiet};
					const outcome = await ingestFolder(client, {folder, name}, means);
					if ('refusal' in outcome) refused.push(outcome.refusal);
					else taken.push(outcome);
				}
			} catch (error) {
				if (!ended.aborted) throw error;
				display.clear();
				await printLeft(client, begun.record, lakeFolder);
				throw ended.reason;
			} finally {
				display.clear();
			}
			return {taken, refused};
		}),
	);
}

/** `lakescope ingest DIR…` */
export async function ingest({words, flags}: CommandLine): Promise<number> {
	if (words.length === 0) throw new UsageError('Name a folder: lakescope ingest DIR…');
	if (flags.sample)
		throw new UsageError('The sample lake is made by lakescope itself: nothing can be ingested into it.');
	const settings = await readSettings(flags, {localOnly: true});
	refuseReadOnly(settings, 'Nothing is ingested');
	for (const problem of settings.problems) say(problem);
	if (settings.passedOver !== undefined) {
		const lake = shortPath(settings.lakeFolder);
		say(
			`This goes into the lake of this machine, ${lake}, not to the service that ${settings.passedOver} names: lakescope upload sends there.`,
		);
	}
	const {folders, without, notes} = await datasetsAt(words);
	for (const note of notes) say(note);
	for (const dir of without) say(await noDatasetIn(dir));
	if (folders.length === 0) return exitCodes.usage;
	if (flags.name !== undefined && folders.length > 1) {
		throw new UsageError(
			`--name names one dataset, and there are ${folders.length}: ${folders.map(shortPath).join(', ')}`,
		);
	}
	const {refused} = await ingestFolders(settings, folders, flags.name);
	return refused.length > 0 || without.length > 0 ? exitCodes.failed : exitCodes.fine;
}

type SuspectClient = Pick<Client, 'localExplore'>;
type Dataset = {readonly id: string; readonly name: string; readonly episodes: number};

/** So many are told with what is against them; the explorer lists them all. */
const mostTold = 20;

/**
 * Says which episodes of a dataset are unlike their siblings, the worst first, and why; that none is, or that there are
 * too few to tell, is said too.
 *
 * @returns how many there are, undefined where it cannot be told of any, and how many of them are copies of others
 */
export async function printSuspects(
	client: SuspectClient,
	dataset: Dataset,
): Promise<Pick<Ingested, 'suspects' | 'copies'>> {
	const request = {dataset_ids: [dataset.id], tags: [suspectTag], sort: worstFirst};
	const {data} = await client.localExplore({...request, limit: mostTold});
	const total = Number(data.total);
	if (total === 0) return {suspects: await printNone(client, dataset)};
	const {data: copied} = await client.localExplore({...request, lineage: 'children', limit: 1});
	say(`${dataset.name}: ${total} of ${dataset.episodes} suspect`);
	for (const {episode_index, metrics} of data.episodes) {
		const reasons = metrics?.suspect_reasons;
		const words = Array.isArray(reasons) ? reasons.join(' · ') : '';
		say(printable(`  ${String(episode_index).padStart(5)}  ${words}`));
	}
	if (total > data.episodes.length) say(`  and ${total - data.episodes.length} more`);
	return {suspects: total, copies: Number(copied.total)};
}

async function printNone(client: SuspectClient, {id, name, episodes}: Dataset): Promise<0 | undefined> {
	if (episodes === 0) return undefined;
	const {data} = await client.localExplore({dataset_ids: [id], sort: worstFirst, limit: 1});
	const metrics = data.episodes[0]?.metrics;
	if (typeof metrics?.doubt === 'number') {
		say(`${name}: none of ${episodes} suspect`);
		return 0;
	}
	const note = metrics?.siblings_note;
	if (typeof note === 'string') say(printable(`${name}: ${note}`));
	return undefined;
}

/** Counts the suspects of all ingested datasets, without copies of other episodes unless there are only copies. */
export function suspectTotal(taken: readonly Ingested[]) {
	const sum = (of: (dataset: Ingested) => number) => taken.reduce((all, dataset) => all + of(dataset), 0);
	const [all, copies] = [sum(({suspects = 0}) => suspects), sum(({copies = 0}) => copies)];
	const isOfOriginals = all > copies;
	return isOfOriginals
		? {suspects: all - copies, copies, isOfOriginals}
		: {suspects: all, copies: 0, isOfOriginals};
}

/** Summarizes the suspects of all ingested datasets in a sentence; undefined without episodes. */
export function suspectsIn(taken: readonly Ingested[]): string | undefined {
	const some = taken.filter(({episodes}) => episodes > 0);
	const told = some.filter(({suspects}) => suspects !== undefined);
	const episodes = told.reduce((all, dataset) => all + dataset.episodes, 0);
	const {suspects, copies} = suspectTotal(told);
	const besides = copies === 0 ? '' : ` (${copies} more are copies of others)`;
	const found =
		suspects === 0
			? `None of ${episodes} suspect.`
			: `${suspects} of ${episodes} suspect${besides}, the worst first.`;
	const few = some.length - told.length;
	const untold = `${few === 1 ? '1 dataset has' : `${few} datasets have`} too few episodes of a task to tell.`;
	const sentences = [...(told.length > 0 ? [found] : []), ...(few > 0 ? [untold] : [])];
	return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** The content of an ingested dataset; after a re-ingest also its generation and how it differs. */
export function ingestedWords(status: SyncStatus): string {
	const {episode_count, total_frames, generation} = status;
	const which = generationWords(status).join(', ');
	const again = Number(generation ?? 1) > 1 ? `, as ${which}` : '';
	return `${counted(episode_count ?? 0, 'episode')}, ${counted(total_frames ?? 0, 'frame')}${again}`;
}
