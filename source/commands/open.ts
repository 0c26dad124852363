import type {Filter} from '../query/filter.ts';
import type {Link} from '../store/queries/link.ts';
import {type FrameWriter, frameWriter} from '../terminal/frame-writer.ts';
import {type PictureChoice, pictureChoice} from '../terminal/pictures/picture-protocol.ts';
import {type ChosenService, chooseService} from './chosen-service.ts';
import type {ExploreOptions} from './explore-options.ts';
import {explorerUploader} from './explorer-uploader.ts';
import {type CommandLine, meantPerhaps} from './flags.ts';
import type {IngestedFolders} from './ingest.ts';
import {UsageError} from './print/failure.ts';
import {readSettings, refuseReadOnly, type Settings} from './settings.ts';

/** Splits words into folders to ingest and a filter. */
async function sortWords(
	words: readonly string[],
): Promise<{dirs: readonly string[]; rest: readonly string[]}> {
	const {isFolder} = await import('./dataset-folders.ts');
	const folders = await Promise.all(words.map(isFolder));
	const rest = words.filter((_, i) => !folders[i]);
	const missing = rest.find(word => /^(?:\.{0,2}\/|~\/)/.test(word));
	if (missing !== undefined) throw new UsageError(`There is no folder ${missing}.`);
	return {dirs: words.filter((_, i) => folders[i]), rest};
}

async function ingestFolder(settings: Settings, dirs: readonly string[]): Promise<IngestedFolders> {
	if (settings.hosted || settings.sample) {
		throw new UsageError(
			settings.hosted
				? `Folders are ingested into a lake of this machine, not into ${settings.hosted.baseUrl}. To send them there: lakescope upload DIR. To ingest them here: lakescope ingest DIR`
				: 'Folders are ingested into your own lake, not into the sample: leave --sample out.',
		);
	}
	refuseReadOnly(settings, 'Nothing is ingested');
	const {datasetsAt, noDatasetIn} = await import('./dataset-folders.ts');
	const {folders, without, notes} = await datasetsAt(dirs);
	const empty = await Promise.all(without.map(noDatasetIn));
	if (folders.length === 0) throw new UsageError(empty.join('\n'));
	if (empty.length + notes.length > 0) {
		const {say} = await import('./print/output.ts');
		for (const sentence of [...empty, ...notes]) say(sentence);
	}
	const {ingestFolders} = await import('./ingest.ts');
	const {taken, refused} = await ingestFolders(settings, folders);
	return {taken, refused: [...empty, ...refused]};
}

/** The exit code; what else tells of failures is no part of the explorer's start. */
async function failed(): Promise<number> {
	return (await import('./print/failure.ts')).exitCodes.failed;
}

/** A bare word may be meant as a search: notes that it is a folder here. */
async function printFolders(dirs: readonly string[]): Promise<void> {
	const bare = dirs.filter(dir => !/[/.~]/.test(dir));
	if (bare.length === 0) return;
	const {say} = await import('./print/output.ts');
	for (const dir of bare) {
		say(`${dir} is a folder here, so it is ingested. To search the lake for the word: lakescope -- ${dir}`);
	}
}

/** @throws UsageError for a name that no writer has. */
function chosenWriter(): FrameWriter {
	const name = process.env.LAKESCOPE_WRITER || 'cells';
	const writer = frameWriter(name);
	if (writer === undefined)
		throw new UsageError(`LAKESCOPE_WRITER is cells, incremental or ink, not ${name}.`);
	return writer;
}

/** @throws UsageError for a name that no way of showing pictures has. */
function chosenPictures(settings: Settings): PictureChoice {
	const name = process.env.LAKESCOPE_PICTURES || settings.pictures;
	const choice = pictureChoice(name);
	if (choice === undefined)
		throw new UsageError(`LAKESCOPE_PICTURES is auto, kitty, iterm2, sixel, blocks or off, not ${name}.`);
	return choice;
}

/**
 * Refuses a line of one bare word that looks like a mistyped command: as a search it would only show an empty lake.
 *
 * @throws {UsageError} naming the commands that may have been meant, and how the word is searched for.
 */
function refuseMistypedCommand(words: readonly string[], commandNames: readonly string[]): void {
	const [word = '', ...more] = words;
	if (more.length > 0 || !/^[a-z][a-z-]*$/.test(word)) return;
	const meant = meantPerhaps(word, commandNames, name => `lakescope ${name}`);
	if (meant === undefined) return;
	throw new UsageError(
		`There is no command ${word}. ${meant} To search the lake for the word: lakescope -- ${word}`,
	);
}

/** `lakescope [DIR… | filter]`: the explorer on a terminal, a summary without one. */
export async function open(
	{words, isPlain, flags}: CommandLine,
	commandNames: readonly string[],
): Promise<number> {
	const {dirs, rest} = isPlain || words.length === 0 ? {dirs: [], rest: words} : await sortWords(words);
	if (!isPlain && dirs.length === 0) refuseMistypedCommand(rest, commandNames);
	const typed = rest.length > 0 ? (await import('./filter-argument.ts')).readFilter(rest) : undefined;
	const filter = typed?.filter;
	const settings = await readSettings(flags);
	await printFolders(dirs);
	const {taken, refused} = dirs.length > 0 ? await ingestFolder(settings, dirs) : {taken: [], refused: []};
	// Other data than what was asked for would hide why there is none of that.
	if (dirs.length > 0 && taken.length === 0) return failed();
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		const [{summary}, {noFilter}] = await Promise.all([import('./summary.ts'), import('../query/filter.ts')]);
		const code = await summary(settings, typed ?? {filter: noFilter, line: ''});
		return refused.length > 0 ? failed() : code;
	}
	// The explorer opens on what was just ingested, wherever the last run ended.
	if (dirs.length === 0) return openExplorer(settings, {filter});
	const [{noFilter}, {suspectsOf, worstFirst}] = await Promise.all([
		import('../query/filter.ts'),
		import('../store/episodes/sort.ts'),
	]);
	const ofTaken = {...noFilter, datasets: taken.map(({name}) => name)};
	const {suspectsIn, suspectTotal} = await import('./ingest.ts');
	const {suspects, isOfOriginals} = suspectTotal(taken);
	// Where nothing is suspect, that is said, and everything listed.
	const ofSuspects = suspects === 0 ? ofTaken : suspectsOf(ofTaken, {isOfOriginals});
	return openExplorer(settings, {
		filter: filter ?? ofSuspects,
		sort: worstFirst,
		greeting: suspectsIn(taken),
		problems: refused,
	});
}

/** Opens the explorer: with a filter or at what a link leads to, else where the last run left the lake. */
export async function openExplorer(
	settings: Settings,
	{
		filter,
		link,
		sort,
		greeting,
		problems = [],
	}: {filter: Filter | undefined; link?: Link} & Pick<ExploreOptions, 'sort' | 'greeting'> &
		Partial<Pick<ExploreOptions, 'problems'>>,
): Promise<number> {
	const writer = chosenWriter();
	const pictures = chosenPictures(settings);
	const starting = Promise.withResolvers<ChosenService | undefined>();
	const answers = chooseService(settings, starting.resolve);
	// Loading the explorer leaves no time for anything else: a service that runs is joined before that, one that has
	// to be started is, and then starts while Ink loads. What it fails with is the explorer's to tell.
	const early = await Promise.race([answers.catch(() => undefined), starting.promise]);
	const {explore} = await import('./explore.ts');
	return explore({
		service: early === undefined ? answers : Promise.resolve(early),
		answers,
		filter,
		...(link === undefined ? {} : {link}),
		sort,
		greeting,
		chooseAgain: () => chooseService(settings),
		readOnly: settings.readOnly,
		profile: settings.profile,
		uploader: explorerUploader(settings),
		attention: settings.attention,
		writer,
		pictures,
		keys: settings.keys,
		mouse: settings.mouse,
		problems: [...settings.problems, ...problems],
	});
}
