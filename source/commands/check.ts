import {ClientError} from '../client/errors.ts';
import {visibleJson} from '../contract/json-text.ts';
import {type FoundDamage, findFolderDamage} from '../service/front-door.ts';
import {printable} from '../terminal/printable.ts';
import {byteSize, counted} from '../terminal/quantity.ts';
import {UploadError} from '../upload/upload-error.ts';
import {checkDataset, type DatasetCheck, problemLines} from './dataset-check.ts';
import {damageLines, damageOf, trainingFailures} from './dataset-damage.ts';
import {datasetsAt} from './dataset-folders.ts';
import type {CommandLine} from './flags.ts';
import {InterruptedError, interruptible} from './interruption.ts';
import {takenWords} from './name-holder.ts';
import {exitCodes, sentenceOf, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {type ProgressDisplay, progressDisplay} from './print/progress.ts';
import {readSettings, type Settings} from './settings.ts';
import {askForNews, type News} from './upload-news.ts';
import {withUploadService} from './upload-service.ts';

type Damaged = DatasetCheck & {readonly damages: readonly FoundDamage[]};
type Checked = Damaged & {readonly news: News | undefined};

/** Looks at all that can be sent, with the service that is reachable, if one is. */
async function withNews(
	checks: readonly Damaged[],
	settings: Settings,
	display: ProgressDisplay,
	signal: AbortSignal,
): Promise<Checked[]> {
	const sendable = checks.filter(({refusal}) => refusal === undefined);
	if (sendable.length === 0) return checks.map(check => ({...check, news: undefined}));
	const found = new Map<DatasetCheck, News>();
	try {
		await withUploadService(settings, {signal, onGone: () => display.clear()}, async (session, until) => {
			for (const check of sendable)
				found.set(check, await askForNews(session, check, {display, say, signal: until}));
		});
	} catch (error) {
		signal.throwIfAborted();
		if (!(error instanceof ClientError || error instanceof UploadError || isStartError(error))) throw error;
		const unknown = sentenceOf(error);
		for (const check of sendable) if (!found.has(check)) found.set(check, {unknown});
	}
	return checks.map(check => ({...check, news: found.get(check)}));
}

const isStartError = (error: unknown) => error instanceof Error && error.name === 'ServiceStartError';

function newsText(news: News | undefined): string {
	if (news === undefined) return '';
	return 'bytes' in news ? `; ${byteSize(news.bytes)} are new to the service` : '';
}

async function writeText(checked: readonly Checked[]): Promise<void> {
	for (const check of checked) {
		const {name, listing, trial, refusal, losses, untrainable, warnings, news, damages} = check;
		const others = check.problems.filter(problem => !damageOf(problem, damages));
		const said = check.problems.length - others.length;
		const size = `${counted(listing.files.length, 'file')}, ${byteSize(listing.bytes)}`;
		const taken = `${counted(trial.episodes, 'episode')}, ${counted(trial.frames, 'frame')}`;
		const lines = [
			refusal === undefined ? `${name}: ${size}${newsText(news)}; ${taken} to ingest` : `${name}: ${refusal}`,
			...(news?.holder === undefined ? [] : [`  ${takenWords(name, news.holder)}`]),
			...losses.map(loss => `  ${loss}`),
			...(untrainable.length > 0 ? ['  Training on it would fail: videos missing'] : []),
			...warnings.map(warning => `  Warning: ${warning}`),
			...damageLines(check, damages),
			...problemLines({...check, problems: others, problemCount: check.problemCount - said}),
		];
		await write(`${lines.map(line => printable(line)).join('\n')}\n`);
		if (news && 'unknown' in news) say(`${name}: the amount of new data is unknown: ${news.unknown}`);
	}
}

function jsonOf(check: Checked): object {
	const {folder, name, listing, trial, refusal, losses, problems, problemCount, news} = check;
	const {warnings, damages} = check;
	const failures = trainingFailures(check, damages);
	return {
		folder,
		dataset_name: name,
		ok: isFine(check),
		refusal: refusal ?? null,
		name_taken_by: news?.holder ?? null,
		losses,
		would_train: refusal === undefined && failures.length === 0,
		training_failures: failures,
		warnings: [
			...warnings,
			...problems.filter(({prevents_training}) => !prevents_training).map(({message}) => message),
		],
		files: listing.files.length,
		bytes: listing.bytes,
		new_bytes: news && 'bytes' in news ? news.bytes : null,
		left_out: listing.leftOut,
		episodes: trial.episodes,
		expected_episodes: trial.expectedEpisodes,
		frames: trial.frames,
		problems: problems.map(problem => ({...problem, damage: damageOf(problem, damages)?.id ?? null})),
		problem_count: problemCount,
		damages: damages.map(({repair, lerobot, subject, seconds, ...damage}) => ({
			...damage,
			subject: subject ?? null,
			seconds: seconds ?? null,
			lerobot,
			repairable: repair !== null,
			repair,
		})),
	};
}

/** Warnings alone are fine. */
const isFine = (check: Checked) =>
	check.refusal === undefined &&
	check.losses.length === 0 &&
	trainingFailures(check, check.damages).length === 0 &&
	check.news?.holder === undefined;

async function checkAll(
	folders: readonly string[],
	settings: Settings,
	{name, signal}: {name: string | undefined; signal: AbortSignal},
): Promise<Checked[]> {
	const display = progressDisplay();
	try {
		const checks: Damaged[] = [];
		for (const folder of folders) {
			const check = await checkDataset(folder, name, {display, signal});
			// Where there is nothing of a dataset, this may be any folder of the machine.
			const isNone = check.trial.refusal !== undefined && check.trial.problemCount === 0;
			checks.push({...check, damages: isNone ? [] : await findFolderDamage(folder, signal)});
		}
		return await withNews(checks, settings, display, signal);
	} finally {
		display.clear();
	}
}

/**
 * `lakescope check DIR…`: finds what would fail in an upload, its ingest or a training, and what is damaged, before a
 * byte is sent. Warnings, and damage that no training fails by, leave the exit code at 0.
 */
export async function check({words, flags}: CommandLine): Promise<number> {
	if (words.length === 0) throw new UsageError('Name a folder: lakescope check DIR…');
	if (flags.sample) throw new UsageError('The sample lake takes no uploads, so there is nothing to check.');
	const settings = await readSettings(flags);
	for (const problem of settings.problems) say(problem);
	const {folders, without, notes} = await datasetsAt(words);
	for (const note of notes) say(note);
	// A folder without a dataset is checked as one: the reason is what is wanted.
	const all = [...folders, ...without];
	if (flags.name !== undefined && all.length > 1) {
		throw new UsageError(`--name names one dataset, and there are ${all.length}: ${all.join(', ')}`);
	}
	try {
		const checked = await interruptible(signal => checkAll(all, settings, {name: flags.name, signal}));
		if (flags.json) await write(`${visibleJson(JSON.stringify({items: checked.map(jsonOf)}, null, 2))}\n`);
		else await writeText(checked);
		return checked.every(isFine) ? exitCodes.fine : exitCodes.failed;
	} catch (error) {
		if (error instanceof InterruptedError) return error.exitCode;
		throw error;
	}
}
