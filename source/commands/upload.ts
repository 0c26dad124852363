import {RefusedError, ServiceError} from '../client/errors.ts';
import {exactJson, visibleJson} from '../contract/json-text.ts';
import {counted} from '../terminal/quantity.ts';
import {readRate} from '../upload/blob-source.ts';
import {UnreadableTargetsError} from '../upload/destination.ts';
import {UploadError} from '../upload/upload-error.ts';
import {checkDataset, type DatasetCheck, problemLines} from './dataset-check.ts';
import {datasetsAt} from './dataset-folders.ts';
import type {CommandLine, Flags} from './flags.ts';
import {ingestedWords} from './ingest.ts';
import {InterruptedError, interruptible} from './interruption.ts';
import {exitCodes, refusalOf, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {type ProgressDisplay, progressDisplay} from './print/progress.ts';
import {readSettings, refuseReadOnly, type Settings} from './settings.ts';
import {type Upload, type Uploaded, uploadDataset} from './upload-dataset.ts';
import {withUploadService} from './upload-service.ts';

function readLimit({'limit-rate': text}: Flags): number {
	if (text === undefined) return Number.POSITIVE_INFINITY;
	const rate = readRate(text);
	if (rate !== undefined) return rate;
	throw new UsageError(`--limit-rate takes bytes a second, such as 500K, 10M or 1G, not "${text}".`);
}

/** Tells whether a dataset may be sent, and prints why not. */
function isSendable(check: DatasetCheck, force: boolean): boolean {
	const {name, refusal, losses} = check;
	if (refusal !== undefined) say(`${name}: ${refusal}`);
	for (const loss of losses) say(`${name}: ${loss}`);
	if (check.problemCount > 0) say(`${name}: ${counted(check.problemCount, 'problem')}`);
	for (const line of problemLines(check)) say(line);
	if (refusal !== undefined) return false;
	if (losses.length === 0 || force) return true;
	say(`${name}: nothing was sent. --force sends the rest.`);
	return false;
}

/** Prints the end of an upload. @returns true for success */
async function conclude({name}: DatasetCheck, uploaded: Uploaded): Promise<boolean> {
	if (uploaded.kind === 'sent') return true;
	const {phase, message} = uploaded.status;
	if (phase !== 'finalized') {
		say(`${name}: ${message ?? `it ended as ${phase}`}`);
		return false;
	}
	await write(`${name}: ${ingestedWords(uploaded.status)}\n`);
	return true;
}

type Way = {
	readonly settings: Settings;
	readonly name: string | undefined;
	readonly rate: number;
	readonly force: boolean;
	readonly display: ProgressDisplay;
	readonly signal: AbortSignal;
};

/** Checks and sends one dataset. @returns true for success */
async function uploadOne(
	folder: string,
	{settings, name, rate, force, display, signal}: Way,
): Promise<boolean> {
	const check = await checkDataset(folder, name, {display, signal});
	if (!isSendable(check, force)) return false;
	const upload: Upload = {check, rate, display, say};
	try {
		const onGone = () => {
			display.clear();
			say(`${check.name}: the embedded service stopped; another one continues.`);
		};
		const uploaded = await withUploadService(settings, {signal, onGone}, (session, until) =>
			uploadDataset(upload, session, until),
		);
		return await conclude(check, uploaded);
	} catch (error) {
		display.clear();
		if (error instanceof InterruptedError) {
			say(
				upload.operationId === undefined
					? `${check.name}: stopped. What was sent is kept; the same command continues.`
					: `${check.name}: all of it was sent; its ingest continues in the background.`,
			);
			throw error;
		}
		// One refused dataset does not stop the others; an unreachable service stops all.
		const isOfDataset = error instanceof UploadError || error instanceof ServiceError;
		if (!isOfDataset || error instanceof RefusedError) throw error;
		say(`${check.name}: ${refusalOf(error)}`);
		if (error instanceof UnreadableTargetsError) await write(`${visibleJson(exactJson(error.answer))}\n`);
		return false;
	}
}

/** `lakescope upload DIR… [--name NAME] [--limit-rate RATE] [--force]` */
export async function upload({words, flags}: CommandLine): Promise<number> {
	if (words.length === 0) throw new UsageError('Name a folder: lakescope upload DIR…');
	if (flags.sample)
		throw new UsageError('lakescope makes the sample lake itself: datasets cannot be uploaded to it.');
	const rate = readLimit(flags);
	const settings = await readSettings(flags);
	refuseReadOnly(settings, 'Nothing is sent');
	for (const problem of settings.problems) say(problem);
	const {folders, without, notes} = await datasetsAt(words);
	for (const note of notes) say(note);
	for (const dir of without)
		say(`${dir} holds no LeRobot dataset: see lakescope check ${dir}. Nothing of it is sent.`);
	if (folders.length === 0) return exitCodes.failed;
	const {name, force = false} = flags;
	if (name !== undefined && folders.length > 1) {
		throw new UsageError(`--name names one dataset, and there are ${folders.length}: ${folders.join(', ')}`);
	}
	const display = progressDisplay();
	try {
		return await interruptible(async signal => {
			let failed = without.length;
			for (const folder of folders) {
				if (!(await uploadOne(folder, {settings, name, rate, force, display, signal}))) failed++;
			}
			return failed > 0 ? exitCodes.failed : exitCodes.fine;
		});
	} catch (error) {
		if (error instanceof InterruptedError) return error.exitCode;
		throw error;
	} finally {
		display.clear();
	}
}
