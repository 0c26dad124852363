import {randomUUID} from 'node:crypto';
import type {Client} from '../client/client.ts';
import {episodePages} from '../client/episode-pages.ts';
import {NetworkError, OutcomeUnknownError, ServiceError} from '../client/errors.ts';
import {wait as pause} from '../client/retry.ts';
import {datasetName, type LakeEpisode} from '../contract/episode.ts';
import {type ComposeRecord, type ComposeRequest, mostComposed} from '../contract/local-compose.ts';
import {composeReasons, Embodiments, readComposition, videoWords} from '../store/export/compose-selection.ts';
import {shellWord} from '../store/export/shell-lines.ts';
import {lookFor} from '../store/state/outbox.ts';
import {printable} from '../terminal/printable.ts';
import {byteSize, counted} from '../terminal/quantity.ts';
import {chooseService} from './chosen-service.ts';
import {type ComposeTarget, composeTarget, copyDataset} from './compose-target.ts';
import {readFilter, requestFor} from './filter-argument.ts';
import type {CommandLine} from './flags.ts';
import {ingestStep} from './ingest-dataset.ts';
import {interruptible} from './interruption.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {progressDisplay} from './print/progress.ts';
import {problemLine} from './print/table.ts';
import {rejoining} from './rejoin.ts';
import {type Decisions, listedAlone, readDecisions} from './reviews-file.ts';
import {awaitSample} from './sample-lake.ts';
import {noteIfSample, type Session} from './session.ts';
import {readSettings, refuseReadOnly} from './settings.ts';

/** The first waits are short, since small datasets are written at once. */
const pollMs = {first: 50, most: 400} as const;

/** Joins of an embedded service that keeps going away. */
const mostJoins = 5;

/** Reasons that are printed; the others are counted. */
const mostReasons = 12;

const howTo =
	'lakescope compose NAME FILTER, as in: lakescope compose best tier:retrainable quality_score>=0.9';

type Found = {
	readonly ids: string[];
	readonly embodiments: Embodiments;
	readonly frames: number;
	/** How many of each dataset, by its name. */
	readonly datasets: ReadonlyMap<string, number>;
	readonly interfaces: ReadonlySet<string>;
	/** Rejected ones that were left out here. */
	readonly leftOut: number;
};

/** Which of the episodes that a filter finds are composed. */
type Wanted = {
	readonly words: readonly string[];
	readonly withRejected: boolean;
	/** Those of a file, where one is given. */
	readonly decisions: Decisions | undefined;
};

function isWanted(episode: LakeEpisode, {decisions, withRejected}: Wanted): boolean | 'rejected' {
	const decided = decisions ? decisions(episode) : listedAlone;
	if (decided === undefined) return false;
	if (decided === 'rejected') return 'rejected';
	const isRejected = decided === listedAlone && episode.review_state === 'rejected' && !withRejected;
	return isRejected ? 'rejected' : true;
}

/** The episodes that a filter finds, and a file lists. */
async function foundBy(client: Client, wanted: Wanted, signal: AbortSignal): Promise<Found> {
	const {words, decisions} = wanted;
	const request = await requestFor(client, readFilter(words), {signal});
	const ids: string[] = [];
	const embodiments = new Embodiments();
	const datasets = new Map<string, number>();
	const interfaces = new Set<string>();
	let frames = 0;
	let leftOut = 0;
	let any = false;
	const tooMany = (count: number, what: string) =>
		new UsageError(`${what} ${count} episodes, and one dataset is composed of at most ${mostComposed}.`);
	for await (const page of episodePages(client, request, {offset: 0}, {signal})) {
		const total = Number(page.data.total);
		if (total > mostComposed && !decisions) throw tooMany(total, 'The filter finds');
		for (const episode of page.data.episodes) {
			any = true;
			const verdict = isWanted(episode, wanted);
			if (verdict === 'rejected') leftOut++;
			if (verdict !== true) continue;
			ids.push(episode.episode_id);
			frames += Number(episode.frame_count ?? 0);
			datasets.set(episode.dataset_name, (datasets.get(episode.dataset_name) ?? 0) + 1);
			if (episode.interface_hash) interfaces.add(episode.interface_hash);
		}
		embodiments.add(page.data.episodes);
	}
	if (ids.length > mostComposed) throw tooMany(ids.length, 'The file lists');
	if (!any) throw new UsageError('The filter finds no episode: nothing to compose.');
	if (ids.length === 0 && decisions) {
		throw new UsageError('The file keeps none of these episodes: nothing to compose.');
	}
	return {ids, embodiments, frames, datasets, interfaces, leftOut};
}

/** The state of a composition, kept across services: the next service of the lake resumes it. */
type Begun = {readonly operationId: string; found?: Found; record?: ComposeRecord | undefined};

/** Requests the composition once; a lost answer is settled by reading. An id has one composition at most. */
async function ordered(
	client: Client,
	request: ComposeRequest & {readonly operation_id: string},
	signal: AbortSignal,
): Promise<ComposeRecord> {
	const look = (looking: AbortSignal) => readComposition(client, request.operation_id, looking);
	try {
		return (await look(signal)) ?? (await client.compose(request, {signal})).data;
	} catch (error) {
		if (!(error instanceof OutcomeUnknownError)) throw error;
		const found = await lookFor({look, signal});
		if (found.kind === 'made') return found.made;
		if (found.kind === 'left') throw signal.reason;
		// If the service is gone, the next one gets the same request under the same id.
		throw found.kind === 'unread' && error.cause instanceof NetworkError ? error.cause : error;
	}
}

/** Follows a composition to its end. */
async function followed(client: Client, begun: Begun, signal: AbortSignal): Promise<ComposeRecord> {
	const display = progressDisplay();
	try {
		for (let wait: number = pollMs.first; ; wait = Math.min(wait * 2, pollMs.most)) {
			const {data: record} = await client.composition(begun.operationId, {signal});
			begun.record = record;
			if (record.status.done) return record;
			display.show(ingestStep(record.dataset_name, record.status));
			await pause(wait, signal);
		}
	} finally {
		display.clear();
	}
}

const rejectedFlag = '--with-rejected';

/** ^C cancels the composition. */
async function giveUp(client: Client, {record}: Begun): Promise<void> {
	if (record === undefined || record.status.done) return;
	await client.cancelComposition(record.operation_id);
	say(`Cancelled: nothing of ${record.dataset_name} was kept.`);
}

/** Prints why the episodes or the name were refused. @throws every other error, such as a refused key */
function refused(error: unknown, embodiments: Embodiments): undefined {
	if (!(error instanceof ServiceError) || ![404, 409, 422].includes(error.status)) throw error;
	const reasons = composeReasons(error, embodiments);
	for (const reason of reasons.slice(0, mostReasons)) say(printable(reason));
	if (reasons.length > mostReasons) say(`… and ${reasons.length - mostReasons} more`);
	if (error.problems.some(({field}) => field === 'include_rejected')) say(`${rejectedFlag} includes them.`);
}

/** Says what would be composed. */
async function rehearse(name: string, found: Found, target: ComposeTarget | undefined): Promise<number> {
	const {ids, frames, datasets, interfaces} = found;
	if (ids.length === 0) {
		say(`Every episode found is rejected: nothing would be composed. ${rejectedFlag} includes them.`);
		return exitCodes.failed;
	}
	const parts = [...datasets].map(([dataset, count]) => `${count} of ${dataset}`).join(', ');
	const place = target === undefined ? 'in the lake' : `in the lake, and in ${target.folder}`;
	await write(
		`${name}: would be ${counted(ids.length, 'episode')}, ${counted(frames, 'frame')} (${parts}), ${place}\n`,
	);
	if (interfaces.size > 1) {
		say(
			`They have ${interfaces.size} layouts: composing is refused if action, state, cameras, robot or rate differ. The facet interface tells them apart.`,
		);
	}
	say('Nothing was composed.');
	return exitCodes.fine;
}

/** Copies what was composed out of the lake, and says where it is. */
async function putOut({dataset_name, folder}: ComposeRecord, target: ComposeTarget): Promise<number> {
	try {
		await copyDataset(folder, target);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		say(`${dataset_name} is in the lake and could not be copied to ${target.folder}: ${reason}`);
		return exitCodes.failed;
	}
	await write(`Copied to ${target.folder}\n`);
	if (target.repoId !== undefined) {
		say(`For LeRobot: --dataset.repo_id=${target.repoId} --dataset.root=${shellWord(target.folder)}`);
	}
	return exitCodes.fine;
}

async function notify({
	dataset_name,
	folder,
	summary,
	status,
	problems,
	features_left_out,
}: ComposeRecord): Promise<number> {
	for (const problem of problems) say(problemLine(problem));
	if (status.phase !== 'finalized' || !summary) {
		say(`${dataset_name}: ${status.message ?? `it ended as ${status.phase}`}`);
		return exitCodes.failed;
	}
	if (features_left_out.length > 0) {
		say(`Left out, because the datasets differ in them: ${features_left_out.join(', ')}`);
	}
	const {episodes, frames, videos_absent, videos_note, camera_stats_note} = summary;
	await write(`${dataset_name}: ${counted(episodes, 'episode')}, ${counted(frames, 'frame')} in ${folder}\n`);
	const videos = videoWords(summary, {counted, byteSize});
	if (videos !== undefined) say(`${videos}.`);
	if (videos_note) say(videos_note);
	if (camera_stats_note) say(camera_stats_note);
	if (videos_absent === 0) return exitCodes.fine;
	const files = counted(videos_absent, 'video file');
	const are = videos_absent === 1 ? 'is' : 'are';
	say(
		`${files} that the parents name ${are} missing: training on ${dataset_name} would fail. Put the videos back, ingest the parents and compose again under another name.`,
	);
	return exitCodes.failed;
}

/** `lakescope compose NAME FILTER` */
export async function compose({words, flags}: CommandLine): Promise<number> {
	const [name = '', ...filter] = words;
	if (filter.length === 0 && flags.from === undefined) {
		throw new UsageError(`Give a name and a filter: ${howTo}`);
	}
	if (!datasetName.safeParse(name).success) {
		throw new UsageError(`${JSON.stringify(name)} cannot be a dataset's name. ${howTo}`);
	}
	// A filter by rejected episodes includes them.
	const withRejected = flags['with-rejected'] === true || readFilter(filter).filter.review === 'rejected';
	const target = composeTarget(name, flags);
	const decisions = flags.from === undefined ? undefined : await readDecisions(flags.from);
	// Without a file the service leaves the rejected ones out, by what it knows when it is asked.
	const isLeftToService = decisions === undefined && flags['dry-run'] !== true;
	const wanted: Wanted = {words: filter, withRejected: withRejected || isLeftToService, decisions};
	const settings = await readSettings(flags);
	if (!flags['dry-run']) refuseReadOnly(settings, 'Nothing is composed');
	for (const problem of settings.problems) say(problem);
	const begun: Begun = {operationId: randomUUID()};
	const join = () => chooseService(settings);
	const onGone = () => say('The embedded service stopped; another one continues.');
	return interruptible(ended =>
		rejoining({join, mostJoins, signal: ended, onGone}, async (session, signal) => {
			const {client} = session;
			try {
				const found = await prepared(session, wanted, begun, signal);
				if (flags['dry-run']) {
					printLeftOut(found.leftOut, decisions && '');
					return await rehearse(name, found, target);
				}
				if (target && !client.address.loopback) {
					throw new UsageError(
						'--to and --repo-id copy from a lake of this machine; this service is on another.',
					);
				}
				const episode_ids = found.ids;
				if (begun.record === undefined) {
					// Episodes that a file keeps, or that were left out above, are decided: the lake's own marks do not count again.
					const include = withRejected || decisions ? {include_rejected: true} : {};
					const request = {name, episode_ids, operation_id: begun.operationId, ...include};
					begun.record = await ordered(client, request, signal).catch(error =>
						refused(error, found.embodiments),
					);
					if (begun.record === undefined) return exitCodes.failed;
					const {rejected_left_out} = begun.record;
					if (decisions) printLeftOut(found.leftOut, '');
					else printLeftOut(rejected_left_out);
				}
				const record = await followed(client, begun, signal);
				const code = await notify(record);
				return target && code === exitCodes.fine ? await putOut(record, target) : code;
			} catch (error) {
				if (!ended.aborted) throw error;
				await giveUp(client, begun);
				throw ended.reason;
			}
		}),
	);
}

function printLeftOut(left: number, way = `; ${rejectedFlag} includes them`): void {
	if (left === 0) return;
	const are = left === 1 ? 'is' : 'are';
	say(`${counted(left, 'rejected episode')} ${are} left out${way}.`);
}

/** Finds the episodes of the filter, once, with a service that can compose. */
async function prepared(
	{service, client}: Session,
	wanted: Wanted,
	begun: Begun,
	signal: AbortSignal,
): Promise<Found> {
	if (begun.found !== undefined) return begun.found;
	if (service.kind === 'sample') await awaitSample(client);
	noteIfSample(service);
	const document = await client.localDocument({signal});
	if (!document?.abilities.includes('compose')) {
		throw new UsageError('This service cannot compose datasets: only the embedded service can.');
	}
	begun.found = await foundBy(client, wanted, signal);
	return begun.found;
}
