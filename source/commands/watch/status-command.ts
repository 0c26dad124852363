import {exactJson} from '../../contract/exact-json.ts';
import {uuid} from '../../contract/scalars.ts';
import {visibleJson} from '../../contract/visible-json.ts';
import {exitCodes} from '../failure.ts';
import type {CommandLine, Flags} from '../flags.ts';
import {InterruptedError, interruptible} from '../interruption.ts';
import {say, write} from '../output.ts';
import {type ProgressDisplay, progressDisplay} from '../progress.ts';
import {readSettings, type Settings} from '../settings.ts';
import {UsageError} from '../usage-error.ts';
import {runOnEnd} from './on-end.ts';
import {stayJoined} from './stay-joined.ts';
import type {Subject} from './subject.ts';
import {Watch} from './watch.ts';

const noDisplay: ProgressDisplay = {show: () => undefined, clear: () => undefined};

const jsonLine = (status: unknown) => `${visibleJson(exactJson(status))}\n`;

const textOf = (lines: readonly string[]) => lines.map(line => `${line}\n`).join('');

function readWords(command: string, {words}: CommandLine): string {
	const [id, ...rest] = words;
	if (id === undefined || rest.length > 0) {
		throw new UsageError(`lakescope ${command} takes one id: lakescope ${command} ID [--watch].`);
	}
	if (!uuid.safeParse(id).success) {
		const list = command === 'sync-status' ? 'uploads' : 'jobs';
		throw new UsageError(
			`"${id}" is no id: that is a UUID such as 0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10. lakescope ${list} lists them.`,
		);
	}
	return id;
}

/** Prints what it looks like now. */
async function printOnce<Status>(
	subject: Subject<Status>,
	settings: Settings,
	{json}: Flags,
	interrupt: AbortSignal,
): Promise<number> {
	const status = await stayJoined(settings, interrupt, ({client}, signal) => subject.read(client, {signal}));
	await write(json ? jsonLine(status) : textOf(subject.report(status, Date.now())));
	return exitCodes.fine;
}

/** Prints every change until it has ended. */
async function printChanges<Status>(
	subject: Subject<Status>,
	settings: Settings,
	{json, 'on-end': onEnd}: Flags,
	interrupt: AbortSignal,
): Promise<number> {
	// Beside lines that say the same, a display of lines is no use.
	const display = !json && process.stderr.isTTY ? progressDisplay() : noDisplay;
	const watch = new Watch(subject, {
		async onStatus(status, before) {
			display.clear();
			const now = Date.now();
			const lines = before === undefined ? subject.report(status, now) : subject.news(before, status, now);
			await write(json ? jsonLine(status) : textOf(lines));
			if (subject.outcome(status) === 'under way') display.show(subject.step(status));
		},
		onTrouble(sentence) {
			display.clear();
			say(`${sentence} It is asked again until it answers.`);
		},
		onRecovery: () => say('It answers again.'),
	});
	try {
		const status = await stayJoined(settings, interrupt, ({client}, signal) => watch.run(client, signal));
		const isGood = subject.outcome(status) === 'good';
		const {kind, id} = subject;
		const failed =
			onEnd === undefined
				? undefined
				: await runOnEnd(onEnd, {kind, id, state: subject.state(status), isGood});
		if (failed !== undefined) say(failed);
		return isGood && failed === undefined ? exitCodes.fine : exitCodes.failed;
	} finally {
		display.clear();
	}
}

/** Carries out `lakescope finetune ID` and its like. With `--watch` the exit code tells how it ended. */
export async function statusCommand<Status>(
	line: CommandLine,
	command: Subject<Status>['kind'],
	subjectOf: (id: string) => Subject<Status>,
): Promise<number> {
	const {flags} = line;
	const subject = subjectOf(readWords(command, line));
	if (flags['on-end'] !== undefined && !flags.watch) throw new UsageError('--on-end goes with --watch.');
	const settings = await readSettings(flags);
	try {
		return await interruptible(interrupt =>
			(flags.watch ? printChanges : printOnce)(subject, settings, flags, interrupt),
		);
	} catch (error) {
		if (error instanceof InterruptedError) return error.exitCode;
		throw error;
	}
}
