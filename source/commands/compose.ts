import {randomUUID} from 'node:crypto';
import type {Client} from '../client/client.ts';
import {episodePages} from '../client/episode-pages.ts';
import {NetworkError, OutcomeUnknownError, ServiceError} from '../client/errors.ts';
import {wait as pause} from '../client/retry.ts';
import {datasetName} from '../contract/episode.ts';
import {type ComposeRecord, type ComposeRequest, mostComposed} from '../contract/local-compose.ts';
import {composeReasons, Embodiments, readComposition, videoWords} from '../store/export/compose-selection.ts';
import {lookFor} from '../store/state/outbox.ts';
import {printable} from '../terminal/printable.ts';
import {byteSize, counted} from '../terminal/quantity.ts';
import {chooseService} from './chosen-service.ts';
import {readFilter, requestFor} from './filter-argument.ts';
import type {CommandLine} from './flags.ts';
import {ingestStep} from './ingest-dataset.ts';
import {interruptible} from './interruption.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {progressDisplay} from './print/progress.ts';
import {problemLine} from './print/table.ts';
import {rejoining} from './rejoin.ts';
import {awaitSample} from './sample-lake.ts';
import {noteIfSample, type Session} from './session.ts';
import {readSettings, refuseReadOnly} from './settings.ts';

/** The first waits are short, since small datasets are written at once. */
const pollMs = {first: 50, most: 400} as const;

/** How often an embedded service that goes away is joined again. */
const mostJoins = 5;

/** Reasons that are said one by one. */
const mostReasons = 12;

const howTo =
	'lakescope compose NAME FILTER, as in: lakescope compose best tier:retrainable quality_score>=0.9';

type Found = {readonly ids: string[]; readonly embodiments: Embodiments};

/** The episodes that a filter finds. */
async function foundBy(client: Client, words: readonly string[], signal: AbortSignal): Promise<Found> {
	const request = await requestFor(client, readFilter(words), {signal});
	const ids: string[] = [];
	const embodiments = new Embodiments();
	for await (const page of episodePages(client, request, {offset: 0}, {signal})) {
		const total = Number(page.data.total);
		if (total > mostComposed) {
			throw new UsageError(
				`The filter finds ${total} episodes, and one dataset is composed of at most ${mostComposed}.`,
			);
		}
		ids.push(...page.data.episodes.map(({episode_id}) => episode_id));
		embodiments.add(page.data.episodes);
	}
	if (ids.length === 0) throw new UsageError('The filter finds no episode: nothing to compose.');
	return {ids, embodiments};
}

/** The state of a composition, kept across services: the next service of the lake resumes it. */
type Begun = {readonly operationId: string; found?: Found; record?: ComposeRecord | undefined};

/** Orders it, once: an answer that was lost is settled by reading. Of one id there is only one composition. */
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
		// Where the service is gone the next one is asked, and told again under the same id.
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

/** ^C gives a composition up. */
async function giveUp(client: Client, {record}: Begun): Promise<void> {
	if (record === undefined || record.status.done) return;
	await client.cancelComposition(record.operation_id);
	say(`Given up: nothing of ${record.dataset_name} was kept.`);
}

/** Says what of the episodes or the name does not fit. @throws all else: a refused key, say, is told as everywhere */
function refused(error: unknown, embodiments: Embodiments): undefined {
	if (!(error instanceof ServiceError) || ![404, 409, 422].includes(error.status)) throw error;
	const reasons = composeReasons(error, embodiments);
	for (const reason of reasons.slice(0, mostReasons)) say(printable(reason));
	if (reasons.length > mostReasons) say(`… and ${reasons.length - mostReasons} more`);
	if (error.problems.some(({field}) => field === 'include_rejected')) say(`${rejectedFlag} includes them.`);
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
		say(`Left out, as not all of the datasets have them alike: ${features_left_out.join(', ')}`);
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
		`${files} that the parents name ${are} not there: a training on ${dataset_name} would fail. Put the videos back, ingest the parents and compose again under another name.`,
	);
	return exitCodes.failed;
}

/** `lakescope compose NAME FILTER` */
export async function compose({words, flags}: CommandLine): Promise<number> {
	const [name = '', ...filter] = words;
	if (filter.length === 0) throw new UsageError(`Give a name and a filter: ${howTo}`);
	if (!datasetName.safeParse(name).success) {
		throw new UsageError(`${JSON.stringify(name)} cannot be a dataset's name. ${howTo}`);
	}
	// A filter by rejected episodes includes them.
	const withRejected = flags['with-rejected'] === true || readFilter(filter).filter.review === 'rejected';
	const settings = await readSettings(flags);
	refuseReadOnly(settings, 'Nothing is composed');
	for (const problem of settings.problems) say(problem);
	const begun: Begun = {operationId: randomUUID()};
	const join = () => chooseService(settings);
	const onGone = () => say('The embedded service went away; another one goes on from there.');
	return interruptible(ended =>
		rejoining({join, mostJoins, signal: ended, onGone}, async (session, signal) => {
			const {client} = session;
			try {
				const found = await prepared(session, filter, begun, signal);
				const episode_ids = found.ids;
				if (begun.record === undefined) {
					const include = withRejected ? {include_rejected: true} : {};
					const request = {name, episode_ids, operation_id: begun.operationId, ...include};
					begun.record = await ordered(client, request, signal).catch(error =>
						refused(error, found.embodiments),
					);
					if (begun.record === undefined) return exitCodes.failed;
					printLeftOut(begun.record);
				}
				return await notify(await followed(client, begun, signal));
			} catch (error) {
				if (!ended.aborted) throw error;
				await giveUp(client, begun);
				throw ended.reason;
			}
		}),
	);
}

function printLeftOut({rejected_left_out: left}: ComposeRecord): void {
	if (left === 0) return;
	const are = left === 1 ? 'is' : 'are';
	say(`${counted(left, 'rejected episode')} ${are} left out; ${rejectedFlag} includes them.`);
}

/** Finds the episodes of the filter, once, with a service that can compose. */
async function prepared(
	{service, client}: Session,
	filter: readonly string[],
	begun: Begun,
	signal: AbortSignal,
): Promise<Found> {
	if (begun.found !== undefined) return begun.found;
	if (service.kind === 'sample') await awaitSample(client);
	noteIfSample(service);
	const document = await client.localDocument({signal});
	if (!document?.abilities.includes('compose')) {
		throw new UsageError('This service cannot compose datasets: only the one that lakescope brings can.');
	}
	begun.found = await foundBy(client, filter, signal);
	return begun.found;
}
