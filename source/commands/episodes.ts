import type {Answer} from '../client/answer.ts';
import {episodePages} from '../client/episode-pages.ts';
import type {ExploreResponse} from '../contract/explore.ts';
import {exploreLimits} from '../contract/limits.ts';
import {maxIndex} from '../contract/scalars.ts';
import {printCsv, printJson, printJsonLines, printTable} from './episode-formats.ts';
import {exitCodes} from './failure.ts';
import {readFilter, requestFor} from './filter-argument.ts';
import {type CommandLine, type Flags, wholeNumber} from './flags.ts';
import {say, sayLeftOut} from './output.ts';
import {sayIfSample, withService} from './session.ts';
import {readSettings} from './settings.ts';
import {UsageError} from './usage-error.ts';

function formatOf(flags: Flags): 'json' | 'jsonl' | 'csv' | 'table' {
	const asked = (['json', 'jsonl', 'csv'] as const).filter(format => flags[format]);
	if (asked.length > 1) throw new UsageError(`Give one of ${asked.map(each => `--${each}`).join(' and ')}.`);
	return asked[0] ?? 'table';
}

/** Passes pages on, and says afterwards what of them was left out or did not fit together. */
async function* watched(
	pages: AsyncIterable<Answer<ExploreResponse>>,
): AsyncGenerator<Answer<ExploreResponse>> {
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
	sayLeftOut(setAside, example);
	if (totals.size > 1)
		say('The lake changed while it was read: some episodes may be missing or stand there twice.');
}

/** `lakescope episodes [filter]` */
export async function episodes({words, flags}: CommandLine): Promise<number> {
	const format = formatOf(flags);
	const offset = wholeNumber('offset', flags.offset, {min: 0, max: maxIndex}) ?? 0;
	const limit = wholeNumber('limit', flags.limit, {min: 1, max: maxIndex});
	if (flags.all && limit !== undefined) throw new UsageError('Give one of --all and --limit.');
	const filter = readFilter(words);
	const count = flags.all ? undefined : (limit ?? exploreLimits.page.default);
	return withService(await readSettings(flags), async ({service, client}) => {
		sayIfSample(service);
		const pages = watched(episodePages(client, await requestFor(client, filter), {offset, count}));
		if (format === 'json') await printJson(pages, count);
		else if (format === 'jsonl') await printJsonLines(pages);
		else if (format === 'csv') await printCsv(pages);
		else await printTable(pages);
		return exitCodes.fine;
	});
}
