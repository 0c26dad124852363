import {randomUUID} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../client/client.ts';
import {episodePages} from '../client/episode-pages.ts';
import {OutcomeUnknownError, ServiceError} from '../client/errors.ts';
import {datasetName} from '../contract/episode.ts';
import {type ComposeRecord, type ComposeRequest, mostComposed} from '../contract/local-compose.ts';
import {composeReasons, readComposition} from '../store/hand-over/compose-selection.ts';
import {Embodiments} from '../store/hand-over/embodiments.ts';
import {videoWords} from '../store/hand-over/video-words.ts';
import {lookFor} from '../store/orders/look-for.ts';
import {printable} from '../terminal/printable.ts';
import {byteSize, counted} from '../terminal/quantity.ts';
import {exitCodes} from './failure.ts';
import {readFilter, requestFor} from './filter-argument.ts';
import type {CommandLine} from './flags.ts';
import {ingestStep} from './ingest-step.ts';
import {InterruptedError, interruptible} from './interruption.ts';
import {say, write} from './output.ts';
import {problemLine} from './problem-line.ts';
import {progressDisplay} from './progress.ts';
import {sayIfSample, withService} from './session.ts';
import {readSettings, refuseReadOnly} from './settings.ts';
import {UsageError} from './usage-error.ts';

/** The first waits are short, since small datasets are written at once. */
const pollMs = {first: 50, most: 400} as const;

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

/** Orders it, once: an answer that was lost is settled by reading. */
async function ordered(
	client: Client,
	request: Omit<ComposeRequest, 'operation_id'>,
	signal: AbortSignal,
): Promise<ComposeRecord> {
	const operation_id = randomUUID();
	try {
		return (await client.compose({...request, operation_id}, {signal})).data;
	} catch (error) {
		if (!(error instanceof OutcomeUnknownError)) throw error;
		const look = (looking: AbortSignal) => readComposition(client, operation_id, looking);
		const found = await lookFor({look, signal});
		if (found.kind === 'made') return found.made;
		throw error;
	}
}

/** Follows a composition to its end; ^C gives it up. */
async function followed(client: Client, ordered: ComposeRecord, signal: AbortSignal): Promise<ComposeRecord> {
	const display = progressDisplay();
	let record = ordered;
	try {
		for (let wait: number = pollMs.first; !record.status.done; wait = Math.min(wait * 2, pollMs.most)) {
			display.show(ingestStep(record.dataset_name, record.status));
			await delay(wait, undefined, {signal});
			({data: record} = await client.composition(record.operation_id, {signal}));
		}
		return record;
	} catch (error) {
		if (!signal.aborted) throw error;
		display.clear();
		await client.cancelComposition(record.operation_id);
		say(`Given up: nothing of ${record.dataset_name} was kept.`);
		throw signal.reason;
	} finally {
		display.clear();
	}
}

const rejectedFlag = '--with-rejected';

/** Says what of the episodes or the name does not fit. @throws all else: a refused key, say, is told as everywhere */
function refused(error: unknown, embodiments: Embodiments): undefined {
	if (!(error instanceof ServiceError) || ![404, 409, 422].includes(error.status)) throw error;
	const reasons = composeReasons(error, embodiments);
	for (const reason of reasons.slice(0, mostReasons)) say(printable(reason));
	if (reasons.length > mostReasons) say(`… and ${reasons.length - mostReasons} more`);
	if (error.issues?.some(({loc}) => loc.includes('include_rejected'))) say(`${rejectedFlag} takes them.`);
}

async function tell({
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
	const {episodes, frames, videos_absent, videos_note} = summary;
	await write(`${dataset_name}: ${counted(episodes, 'episode')}, ${counted(frames, 'frame')} in ${folder}\n`);
	const videos = videoWords(summary, {counted, byteSize});
	if (videos !== undefined) say(`${videos}.`);
	if (videos_note) say(videos_note);
	if (videos_absent > 0) say(`${counted(videos_absent, 'video file')} that the parents name are not there.`);
	return exitCodes.fine;
}

/** `lakescope compose NAME FILTER` */
export async function compose({words, flags}: CommandLine): Promise<number> {
	const [name = '', ...filter] = words;
	if (filter.length === 0) throw new UsageError(`Give a name and a filter: ${howTo}`);
	if (!datasetName.safeParse(name).success) {
		throw new UsageError(`${JSON.stringify(name)} cannot be a dataset's name. ${howTo}`);
	}
	// Who filters by the rejected ones asks for them.
	const withRejected = flags['with-rejected'] === true || readFilter(filter).filter.review === 'rejected';
	const settings = await readSettings(flags);
	refuseReadOnly(settings, 'Nothing is composed');
	try {
		return await withService(settings, ({service, client}) =>
			interruptible(async signal => {
				sayIfSample(service);
				const document = await client.localDocument({signal});
				if (!document?.abilities.includes('compose')) {
					throw new UsageError(
						'This service cannot compose datasets: only the one that lakescope brings can.',
					);
				}
				const {ids, embodiments} = await foundBy(client, filter, signal);
				const request = {name, episode_ids: ids, ...(withRejected && {include_rejected: true})};
				const record = await ordered(client, request, signal).catch(error => refused(error, embodiments));
				if (record === undefined) return exitCodes.failed;
				const {rejected_left_out: left} = record;
				if (left > 0) {
					const are = left === 1 ? 'is' : 'are';
					say(`${counted(left, 'rejected episode')} ${are} left out; ${rejectedFlag} takes them too.`);
				}
				return tell(await followed(client, record, signal));
			}),
		);
	} catch (error) {
		if (error instanceof InterruptedError) return error.exitCode;
		throw error;
	}
}
