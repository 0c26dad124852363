import {tmpdir} from 'node:os';
import path from 'node:path';
import {setFlagsFromString} from 'node:v8';
import type {Answer} from '../client/answer.ts';
import {episodePages} from '../client/episode-pages.ts';
import type {ExploreResponse} from '../contract/explore.ts';
import {exploreLimits} from '../contract/limits.ts';
import {maxIndex} from '../contract/scalars.ts';
import {createFile, FileExistsError} from '../files/new-file.ts';
import {resolvePath, shortPath} from '../files/places.ts';
import {episodeForms} from '../store/export/episode-forms.ts';
import {counted, grouped} from '../terminal/quantity.ts';
import {readFilter, requestFor} from './filter-argument.ts';
import {type CommandLine, type Flags, wholeNumber} from './flags.ts';
import {InterruptedError, interruptible} from './interruption.ts';
import {noMatchSentences} from './no-match.ts';
import {printCsv, printJson, printJsonLines, printTable} from './print/episode-formats.ts';
import {exitCodes, pointingAt, UsageError} from './print/failure.ts';
import {printLeftOut, say, write} from './print/output.ts';
import {progressDisplay} from './print/progress.ts';
import {noteIfSample, type Session, withService} from './session.ts';
import {readSettings} from './settings.ts';

function formatOf(flags: Flags): 'json' | 'jsonl' | 'csv' | 'parquet' | 'table' {
	const asked = (['json', 'jsonl', 'csv', 'parquet'] as const).filter(
		format => flags[format] !== undefined && flags[format] !== false,
	);
	if (asked.length > 1) throw new UsageError(`Give one of ${asked.map(each => `--${each}`).join(' and ')}.`);
	return asked[0] ?? 'table';
}

type Pages = AsyncIterable<Answer<ExploreResponse>>;

/** Passes pages on, and says afterwards what of them was left out or did not fit together. */
async function* watched(pages: Pages): AsyncGenerator<Answer<ExploreResponse>> {
	let setAside = 0;
	let example = '';
	const totals = new Set<string>();
	for await (const page of pages) {
		yield page;
		totals.add(`${page.data.total}/${page.data.total_frames}`);
		setAside += page.setAside.length;
		const [first] = page.setAside;
		example ||= first ? `${first.path}: ${first.message}` : '';
	}
	printLeftOut(setAside, example);
	if (totals.size > 1)
		say('The lake changed while it was read: some episodes may be missing or appear twice.');
}

/** Shows the progress on a terminal, unless the data goes there. */
async function* withProgress(
	pages: Pages,
	{offset, count}: {offset: number; count: number},
): AsyncGenerator<Answer<ExploreResponse>> {
	const {stdout, stderr} = process;
	if (!stderr.isTTY || stdout.isTTY || process.env.TERM === 'dumb') return yield* pages;
	const display = progressDisplay(stderr);
	let done = 0;
	try {
		for await (const page of pages) {
			yield page;
			done += page.data.episodes.length;
			const total = Math.max(0, Math.min(Number(page.data.total) - offset, count));
			display.show({subject: 'episodes', step: 'reading', done, total});
		}
	} finally {
		display.clear();
	}
}

/** Standard output, as `--parquet` names it. */
const standardOutput = '-';

function checkParquet({parquet = ''}: Flags): void {
	if (parquet.trim() === '') throw new UsageError('Give the file after --parquet; - is the standard output.');
	if (parquet === standardOutput && process.stdout.isTTY)
		throw new UsageError(
			'A parquet file cannot be printed to a terminal: give --parquet a file, or redirect the output.',
		);
}

/** Writes the file whole or not at all. */
async function writeParquet(pages: Pages, {parquet = '', yes = false}: Flags): Promise<void> {
	const toOutput = parquet === standardOutput;
	const file = toOutput ? path.join(tmpdir(), 'lakescope-episodes') : resolvePath(parquet, process.cwd());
	const target = await createFile(file, {overwrite: yes || toOutput}).catch((error: unknown) => {
		if (!(error instanceof FileExistsError)) throw error;
		throw new Error(`${error.message} --yes replaces it.`, {cause: error});
	});
	const abandon = () => target.abandonNow();
	process.once('exit', abandon);
	let count = 0;
	let total = 0;
	const episodes = async function* () {
		for await (const {data} of pages) {
			yield data.episodes;
			count += data.episodes.length;
			total = Number(data.total);
		}
	};
	try {
		const pieces = episodeForms.parquet.pieces(episodes(), await target.scratch());
		for await (const piece of pieces) await (toOutput ? write(piece) : target.write(piece));
		if (toOutput) await target.abandon();
		else await target.finish();
	} catch (error) {
		await target.abandon();
		throw error;
	} finally {
		process.removeListener('exit', abandon);
	}
	const rest = count < total ? ` of ${grouped(total)}; --all writes every one` : '';
	say(`${counted(count, 'episode')}${rest}${toOutput ? '' : `, in ${shortPath(file)}`}.`);
}

/** `lakescope episodes [filter]` */
export async function episodes({words, flags}: CommandLine): Promise<number> {
	const format = formatOf(flags);
	if (format === 'parquet') checkParquet(flags);
	if (flags.raw && format !== 'csv') throw new UsageError('--raw goes with --csv.');
	const offset = wholeNumber('offset', flags.offset, {min: 0, max: maxIndex}) ?? 0;
	const limit = wholeNumber('limit', flags.limit, {min: 1, max: maxIndex});
	if (flags.all && limit !== undefined) throw new UsageError('Give either --all or --limit.');
	const typed = readFilter(words);
	const count = flags.all ? undefined : (limit ?? exploreLimits.page.default);
	const print = async ({service, client}: Session, signal: AbortSignal) => {
		noteIfSample(service);
		const request = await requestFor(client, typed, {signal});
		const pages = pointingAt(typed.line, episodePages(client, request, {offset, count}, {signal}));
		const shown = watched(withProgress(pages, {offset, count: count ?? Number.POSITIVE_INFINITY}));
		if (format === 'json') await printJson(shown, count);
		else if (format === 'jsonl') await printJsonLines(shown);
		else if (format === 'parquet') await writeParquet(shown, flags);
		else if (format === 'csv') await printCsv(shown, {raw: flags.raw ?? false});
		else if (!(await printTable(shown)))
			for (const sentence of await noMatchSentences(client, typed.filter, service, signal)) say(sentence);
		return exitCodes.fine;
	};
	const settings = await readSettings(flags);
	// A page is thrown away once it is written; left to itself V8 lets a hundred of them lie about before it collects
	// them, and the more the longer it goes on.
	if (flags.all) setFlagsFromString('--optimize-for-size');
	try {
		return await withService(settings, session => interruptible(signal => print(session, signal)));
	} catch (error) {
		if (!(error instanceof InterruptedError)) throw error;
		say(format === 'json' ? 'Stopped: the printed document is incomplete.' : 'Stopped.');
		return error.exitCode;
	}
}
