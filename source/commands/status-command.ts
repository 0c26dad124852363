import {spawn} from 'node:child_process';
import {constants} from 'node:os';
import type {Client} from '../client/client.ts';
import {type Clock, pause, systemClock} from '../client/clock.ts';
import {type ClientError, NetworkError, ServiceError} from '../client/errors.ts';
import {AccountEvents} from '../client/events/account-events.ts';
import {mayConcern, namesSomething} from '../client/events/event-hint.ts';
import {passingStatuses} from '../client/retry.ts';
import {defaultRetryMs, returnDelayMs} from '../client/return-delay.ts';
import {exactJson, visibleJson} from '../contract/json-text.ts';
import {uuid} from '../contract/scalars.ts';
import type {CommandLine, Flags} from './flags.ts';
import {InterruptedError, interruptible} from './interruption.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {say, write} from './print/output.ts';
import {type ProgressDisplay, progressDisplay} from './print/progress.ts';
import {readSettings, type Settings} from './settings.ts';
import {stayJoined} from './stay-joined.ts';
import type {Subject} from './subject.ts';

/** However often events come, nothing is asked for again sooner than this, in milliseconds. */
const leastMs = 200;

type WatchOptions<Status> = {
	/** Called with the first status and with each that is another; awaited. */
	readonly onStatus: (status: Status, before: Status | undefined) => Promise<void>;
	/** Called once an outage, with why the service does not answer. */
	readonly onTrouble: (sentence: string) => void;
	/** Called when it answers again. */
	readonly onRecovery: () => void;
	/** @default the machine's */
	readonly clock?: Clock;
};

/** True for a failure that may pass: the same request may succeed later. */
function mayPass(error: unknown): error is NetworkError | ServiceError {
	if (error instanceof NetworkError) return true;
	return error instanceof ServiceError && (passingStatuses.has(error.status) || error.status === 500);
}

/** Follows one thing to its end by polling; events of the account only say when to look sooner. */
export class Watch<Status> {
	readonly #subject: Subject<Status>;
	readonly #options: WatchOptions<Status>;
	readonly #clock: Clock;
	#last: {readonly status: Status; readonly text: string} | undefined;
	#failures = 0;
	#wake = () => {};

	constructor(subject: Subject<Status>, options: WatchOptions<Status>) {
		this.#subject = subject;
		this.#options = options;
		this.#clock = options.clock ?? systemClock;
	}

	/**
	 * Follows by this client; a later call goes on with another one. An outage is waited out, once something was read.
	 *
	 * @returns the status that it ended with
	 * @throws what the first look failed with, and later what no waiting mends; the signal's reason
	 */
	async run(client: Client, signal: AbortSignal): Promise<Status> {
		const over = new AbortController();
		const events = new AccountEvents(client, {
			event: ({hint}) => {
				if (mayConcern(hint, this.#subject.id) || !namesSomething(hint)) this.#wake();
			},
			gap: () => this.#wake(),
		});
		const listening = events.run(AbortSignal.any([signal, over.signal]));
		// A failure of the listening is told below; polling does not need it.
		listening.catch(() => undefined);
		try {
			return await this.#poll(client, events, signal);
		} finally {
			over.abort();
			await listening;
		}
	}

	async #poll(client: Client, events: AccountEvents, signal: AbortSignal): Promise<Status> {
		const pace = new Pace();
		for (;;) {
			signal.throwIfAborted();
			const looked = await this.#look(client, signal);
			if (!('failure' in looked)) {
				if (this.#subject.outcome(looked.status) !== 'under way') return looked.status;
				await this.#rest(pace.after({...looked, woken: events.state.phase === 'live'}), signal);
				continue;
			}
			const {retryAfterSeconds = 0} = looked.failure instanceof ServiceError ? looked.failure : {};
			const terms = {
				retryMs: defaultRetryMs,
				failures: this.#failures,
				retryAfterMs: retryAfterSeconds * 1000,
			};
			await pause(this.#clock, returnDelayMs(terms), signal);
		}
	}

	/** Waits; something new may cut it short. */
	async #rest(ms: number, signal: AbortSignal): Promise<void> {
		const woken = new AbortController();
		this.#wake = () => woken.abort();
		await pause(this.#clock, Math.min(ms, leastMs), signal);
		if (ms > leastMs) {
			await pause(this.#clock, ms - leastMs, AbortSignal.any([signal, woken.signal]));
		}
	}

	async #look(
		client: Client,
		signal: AbortSignal,
	): Promise<{status: Status; moved: boolean} | {failure: ClientError}> {
		let status: Status;
		try {
			status = await this.#subject.read(client, {signal});
		} catch (error) {
			signal.throwIfAborted();
			if (!this.#last || !mayPass(error)) throw error;
			if (++this.#failures === 1) this.#options.onTrouble(error.message);
			return {failure: error};
		}
		if (this.#failures > 0) this.#options.onRecovery();
		this.#failures = 0;
		const text = exactJson(status);
		const before = this.#last;
		if (text === before?.text) return {status, moved: false};
		this.#last = {status, text};
		await this.#options.onStatus(status, before?.status);
		return {status, moved: true};
	}
}

/** Between two looks, in milliseconds. */
const quickMs = 500;
/** With events to be woken by, and without. */
const slowMs = {woken: 30_000, alone: 15_000} as const;
const growth = 1.5;

/** How often to look at something: quickly while it moves, ever more slowly while it does not. */
class Pace {
	#ms = quickMs;

	/** @returns the wait before the next look, in milliseconds */
	after({moved, woken}: {moved: boolean; woken: boolean}): number {
		this.#ms = moved ? quickMs : Math.min(this.#ms * growth, woken ? slowMs.woken : slowMs.alone);
		return this.#ms;
	}
}

/** The environment of the command that runs at the end. */
type Ended = {
	readonly kind: string;
	readonly id: string;
	readonly state: string;
	readonly isGood: boolean;
};

/**
 * Runs a command of the person's in a shell once something has ended. What the service says reaches it as environment
 * variables, never as part of its text; what it prints goes to stderr, since stdout carries data alone.
 *
 * @returns why it failed, in words; undefined where it went well
 */
function runOnEnd(command: string, {kind, id, state, isGood}: Ended): Promise<string | undefined> {
	const child = spawn(command, {
		shell: true,
		stdio: ['ignore', 2, 2],
		env: {
			...process.env,
			LAKESCOPE_KIND: kind,
			LAKESCOPE_ID: id,
			// Nothing with NUL can stand in an environment.
			LAKESCOPE_STATE: state.replaceAll('\0', ''),
			LAKESCOPE_OUTCOME: isGood ? 'good' : 'bad',
		},
	});
	return new Promise(resolve => {
		child.once('error', error => resolve(`The command of --on-end could not be run: ${error.message}.`));
		child.once('close', (code, signal) => {
			if (code === 0) resolve(undefined);
			else {
				const how = signal === null ? `${code}` : `${128 + constants.signals[signal]} (${signal})`;
				resolve(`The command of --on-end ended with ${how}.`);
			}
		});
	});
}

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
			`"${id}" is not an id: an id is a UUID such as 0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10. lakescope ${list} lists them.`,
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
			say(`${sentence} Retrying until it answers.`);
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
