import {noFilter} from '../query/filter.ts';
import {type FrameWriter, frameWriter} from '../terminal/frame-writer.ts';
import {chooseService} from './chosen-service.ts';
import {datasetsAt, isFolder, noDatasetIn} from './dataset-folders.ts';
import type {CommandLine} from './flags.ts';
import {readSettings, type Settings} from './settings.ts';
import {UsageError} from './usage-error.ts';

/** Which words are folders to take in; the others are a filter. */
async function sortWords(
	words: readonly string[],
): Promise<{dirs: readonly string[]; rest: readonly string[]}> {
	const folders = await Promise.all(words.map(isFolder));
	const rest = words.filter((_, i) => !folders[i]);
	const missing = rest.find(word => /^(?:\.{0,2}\/|~\/)/.test(word));
	if (missing !== undefined) throw new UsageError(`There is no folder ${missing}.`);
	return {dirs: words.filter((_, i) => folders[i]), rest};
}

async function takeIn(settings: Settings, dirs: readonly string[]): Promise<void> {
	if (settings.hosted || settings.sample) {
		throw new UsageError(
			`Folders are taken into a lake of this machine, not into ${settings.hosted?.baseUrl ?? 'the sample'}.`,
		);
	}
	if (settings.readOnly) throw new UsageError('Nothing is taken in while lakescope is read-only.');
	const {folders, without} = await datasetsAt(dirs);
	if (folders.length === 0) throw new UsageError(without.map(noDatasetIn).join('\n'));
	if (without.length > 0) {
		const {say} = await import('./output.ts');
		for (const dir of without) say(noDatasetIn(dir));
	}
	const {ingestFolders} = await import('./ingest.ts');
	await ingestFolders(settings, folders);
}

/** @throws UsageError for a name that no writer has. */
function chosenWriter(): FrameWriter {
	const name = process.env.LAKESCOPE_WRITER || 'cells';
	const writer = frameWriter(name);
	if (writer === undefined)
		throw new UsageError(`LAKESCOPE_WRITER is cells, incremental or ink, not ${name}.`);
	return writer;
}

/** `lakescope [DIR… | filter]`: the explorer on a terminal, a summary without one. */
export async function open({words, flags}: CommandLine): Promise<number> {
	const {dirs, rest} = words.length > 0 ? await sortWords(words) : {dirs: [], rest: []};
	const filter = rest.length > 0 ? (await import('./filter-argument.ts')).readFilter(rest) : undefined;
	const settings = await readSettings(flags);
	if (dirs.length > 0) await takeIn(settings, dirs);
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		const {summary} = await import('./summary.ts');
		return summary(settings, filter ?? noFilter);
	}
	const writer = chosenWriter();
	const starting = Promise.withResolvers<void>();
	const service = chooseService(settings, starting.resolve);
	// Loading the explorer leaves no time for anything else: a service that runs is joined before that, one that has
	// to be started is, and then starts while Ink loads. What it fails with is the explorer's to tell.
	await Promise.race([service.catch(() => undefined), starting.promise]);
	const {explore} = await import('./explore.ts');
	return explore({
		service,
		// What was just taken in is to be seen, whatever was looked at last.
		filter: dirs.length > 0 ? (filter ?? noFilter) : filter,
		chooseAgain: () => chooseService(settings),
		readOnly: settings.readOnly,
		attention: settings.attention,
		writer,
		keys: settings.keys,
		mouse: settings.mouse,
		problems: settings.problems,
	});
}
