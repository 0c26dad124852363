import {episodePages} from '../client/episode-pages.ts';
import type {LakeEpisode} from '../contract/episode.ts';
import {suspectTag} from '../contract/local-explore.ts';
import {finding, type Suspect, type TriageReport} from '../contract/triage.ts';
import {noFilter} from '../query/filter.ts';
import {worstFirst} from '../store/episodes/sort.ts';
import {printable} from '../terminal/printable.ts';
import {counted, grouped} from '../terminal/quantity.ts';
import {datasetsAt, isFolder, noDatasetIn} from './dataset-folders.ts';
import {readFilter, requestFor, type TypedFilter} from './filter-argument.ts';
import type {CommandLine} from './flags.ts';
import {ingestFolders} from './ingest.ts';
import {interruptible} from './interruption.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {noteIfSample, type Session, withService} from './session.ts';
import {readSettings, refuseReadOnly, type Settings} from './settings.ts';

/** From this oddness on an episode is suspect. */
const suspectFrom = 1;

/**
 * `lakescope triage [DIR… | filter]`: prints the suspects, the worst first, with their findings. Ends with 6 where one is
 * at or above `--fail-on`.
 */
export async function triage({words, isPlain, flags}: CommandLine): Promise<number> {
	if (flags.json && flags.jsonl) throw new UsageError('Give one of --json and --jsonl.');
	const failOn = oddnessOf(flags['fail-on']);
	const settings = await readSettings(flags);
	const {typed, refused} = await readSubject(words, isPlain, settings);
	const worst = await withService(settings, session =>
		interruptible(async signal => {
			noteIfSample(session.service);
			const report = await readReport(session, typed, signal);
			if (flags.json) await write(`${JSON.stringify(report, null, 2)}\n`);
			else if (flags.jsonl)
				for (const suspect of report.suspects) await write(`${JSON.stringify(suspect)}\n`);
			else await writeText(report);
			return Math.max(0, ...report.suspects.map(({oddness}) => oddness ?? suspectFrom));
		}),
	);
	if (failOn !== undefined && worst >= failOn) {
		say(`The worst has oddness ${worst}, at or above ${failOn}.`);
		return exitCodes.found;
	}
	return refused ? exitCodes.failed : exitCodes.fine;
}

function oddnessOf(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (text === suspectTag) return suspectFrom;
	const value = text.trim() === '' ? Number.NaN : Number(text);
	if (value > 0) return value;
	throw new UsageError(
		`--fail-on is "suspect" or an oddness above 0, as the report has it (1 and more is suspect), not "${text}".`,
	);
}

/** Folders are ingested first; any other words are a filter. */
async function readSubject(
	words: readonly string[],
	isPlain: boolean,
	settings: Settings,
): Promise<{typed: TypedFilter; refused: boolean}> {
	const folders = isPlain ? [] : await Promise.all(words.map(isFolder));
	if (!folders.some(Boolean)) {
		const missing = isPlain ? undefined : words.find(word => /^(?:\.{0,2}\/|~\/)/.test(word));
		if (missing !== undefined) throw new UsageError(`There is no folder ${missing}.`);
		return {typed: readFilter(words), refused: false};
	}
	if (!folders.every(Boolean)) {
		throw new UsageError('Give folders, or a filter: lakescope triage DIR, or lakescope triage dataset:NAME');
	}
	if (settings.hosted || settings.sample)
		throw new UsageError('Folders are ingested into a lake of this machine: leave --url and --sample out.');
	refuseReadOnly(settings, 'Nothing is ingested');
	const {folders: datasets, without, notes} = await datasetsAt(words);
	const empty = await Promise.all(without.map(noDatasetIn));
	if (datasets.length === 0) throw new UsageError(empty.join('\n'));
	for (const sentence of [...empty, ...notes]) say(sentence);
	const {taken, refused} = await ingestFolders(settings, datasets, undefined, {isQuiet: true});
	const filter = {...noFilter, datasets: taken.map(({name}) => name)};
	if (taken.length === 0) throw new UsageError(refused.join('\n') || 'Nothing was ingested.');
	return {typed: {filter, line: ''}, refused: refused.length + empty.length > 0};
}

async function readReport({client}: Session, typed: TypedFilter, signal: AbortSignal): Promise<TriageReport> {
	const request = await requestFor(client, typed, {signal});
	const all = await client.explore({...request, limit: 1}, {signal});
	const tags = [...new Set([...(request.tags ?? []), suspectTag])];
	const sorted = {
		explore: (page: typeof request) => client.localExplore({...page, sort: worstFirst}, {signal}),
	};
	const suspects: Suspect[] = [];
	for await (const {data} of episodePages(sorted, {...request, tags}, {offset: 0}, {signal})) {
		for (const episode of data.episodes)
			if (episode.tags?.includes(suspectTag)) suspects.push(suspectOf(episode));
	}
	return {total: suspects.length, episodes: Number(all.data.total), suspects};
}

function suspectOf(episode: LakeEpisode): Suspect {
	const metrics = episode.metrics ?? {};
	const number = (key: string) => (typeof metrics[key] === 'number' ? metrics[key] : null);
	const findings = Array.isArray(metrics.findings) ? metrics.findings : [];
	return {
		dataset_name: episode.dataset_name,
		episode_index: Number(episode.episode_index),
		episode_id: episode.episode_id,
		task: episode.task ?? null,
		duration_s: episode.duration_seconds,
		review_state: episode.review_state,
		oddness: number('doubt'),
		siblings: number('siblings'),
		moment_s: number('suspect_at_s'),
		motion_score: episode.quality_score ?? null,
		motion_score_version: number('quality_version') ?? 1,
		tags: [...(episode.tags ?? [])],
		findings: findings.flatMap(each => finding.safeParse(each).data ?? []),
	};
}

async function writeText({total, episodes, suspects}: TriageReport): Promise<void> {
	await write(`${grouped(total)} of ${counted(episodes, 'episode')} suspect\n`);
	for (const {dataset_name, episode_index, oddness, siblings, findings} of suspects) {
		const beside = siblings === null ? '' : ` beside ${counted(siblings, 'sibling')}`;
		await write(printable(`${dataset_name} ${episode_index}: oddness ${oddness ?? '—'}${beside}`) + '\n');
		for (const each of findings) await write(printable(`  ${findingWords(each)}`) + '\n');
	}
}

function findingWords({reason, from_s, to_s, size, beyond, siblings}: Suspect['findings'][number]): string {
	const at = from_s === null ? '' : from_s === to_s ? ` [${from_s} s]` : ` [${from_s}–${to_s} s]`;
	if (size === null || beyond === null) return `${reason}${at}`;
	const rest =
		beyond >= siblings ? `beyond all ${siblings} siblings` : `beyond ${beyond} of ${siblings} siblings`;
	return `${reason}${at} (${rest}, ${size} × their spread)`;
}
