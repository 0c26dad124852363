import {constants} from 'node:os';
import process from 'node:process';
import type {Readable, Writable} from 'node:stream';
import type {ReadStream, WriteStream} from 'node:tty';
import {type Background, createBackground} from './background.ts';
import {type Capabilities, readCapabilities} from './capabilities.ts';
import type {InkNode} from './cells/ink-tree.ts';
import type {CrashLog} from './crash-log.ts';
import {type FrameWriter, renderingOptions} from './frame-writer.ts';
import {InkStdin} from './ink-streams.ts';
import type {InputEvent} from './input-event.ts';
import {createJobControl} from './job-control.ts';
import type {PictureChoice} from './pictures/picture-protocol.ts';
import type {ImageRenderer} from './pictures/picture-renderer.ts';
import {printable} from './printable.ts';
import {createQuestions, type Round} from './questions.ts';
import {createTtyInput} from './tty-input.ts';
import {createTtyScreen, type Redrawable, type ScreenKind} from './tty-screen.ts';

/** The part of what Ink's `render` returns that a session needs. */
type InkInstance = Redrawable & {
	unmount(): void;
	waitUntilExit(): Promise<unknown>;
};

type SessionOptions = {
	/** Name of the program in the words said after a crash. */
	readonly program: string;
	readonly log: CrashLog;
	/** The terminal's title is ours too: see `setTitle`. @default false */
	readonly hasTitle?: boolean;
	/**
	 * Called when the screen has been given back: cleans up, and returns the line to say at the end. The
	 * process ends when it is done, or a moment later all the same.
	 */
	readonly finish?: (ending: Ending) => string | undefined | Promise<string | undefined>;
	/** True if the mouse is taken from the terminal. @default true */
	readonly mouse?: boolean;
	/** @default what the environment tells */
	readonly capabilities?: Capabilities;
	/** @default 'cells' */
	readonly writer?: FrameWriter;
	/** How pictures are to be shown. @default 'auto' */
	readonly pictures?: PictureChoice;
};

/** The terminal's mouse: ours while it is taken, else the terminal selects text with it. */
export type Mouse = {readonly isTaken: boolean; take(isTaken: boolean): void};

/** The terminal while the program has it. */
export type Session = {
	readonly capabilities: Capabilities;
	/** Options for Ink's `render`. */
	readonly inkOptions: {
		readonly stdin: Readable;
		readonly stdout: Writable;
		readonly stderr: WriteStream;
		readonly exitOnCtrlC: false;
		readonly patchConsole: false;
		readonly interactive: true;
		readonly alternateScreen: false;
		readonly incrementalRendering: boolean;
		readonly debug: boolean;
	};
	/** Makes the session Ink's owner: it draws anew and unmounts it, and its failure is the program's. */
	attach(ink: InkInstance): void;
	/** Sets who gets the keys; what was typed before comes first. What the terminal replies is not among them. */
	listen(listener: (events: readonly InputEvent[]) => void): void;
	/** Gives the root of Ink's tree to a writer that reads it; another one draws Ink's frames. */
	readonly follow: ((root: InkNode) => void) | undefined;
	suspend(): void;
	repaint(): void;
	/** Undefined where there is none to be had. */
	readonly mouse: Mouse | undefined;
	/** The colour behind the text, once that is known. */
	readonly background: Background;
	/** Draws pictures; loaded with the first one. */
	readonly pictures: () => Promise<ImageRenderer>;
	/** Tells the terminal something that does not show, between two frames. */
	send(bytes: string): void;
	/** Sets the terminal's title until the screen is given back, if the session has the title. */
	setTitle(text: string): void;
	/** Gives the screen back and ends the process: the one exit. Only the first call counts. */
	end(ending: Ending): void;
};

/** A terminal whose reader stands still gets this long to take its last bytes. */
const leaveWithinMs = 300;
/** Cleaning up gets this long, which no disk needs that will ever answer; then the process is gone whatever happens. */
const finishWithinMs = 3000;

/** A terminal that has not answered by then never will; over a network it gets longer. */
const answerWithinMs = {here: 1000, remote: 3000};
/** Quitting or suspending at once waits so long for answers that would else be typed into the shell. */
const lastAnswerMs = 200;

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Takes the terminal: from here on the process ends through `end` alone, whatever happens to it, and the
 * terminal is as it was.
 *
 * Three keys are the session's own, so that no dialog can swallow them: ctrl+c quits, ctrl+z suspends,
 * ctrl+l draws everything anew.
 */
export function openSession({
	program,
	log,
	hasTitle,
	finish = () => undefined,
	mouse = true,
	capabilities = readCapabilities(process.env),
	writer = 'cells',
	pictures: choice = 'auto',
}: SessionOptions): Session {
	const {stdin, stdout, stderr}: {stdin: ReadStream; stdout: typeof process.stdout; stderr: WriteStream} =
		process;
	const kind: ScreenKind = capabilities.isScreen ? (capabilities.isSpoken ? 'spoken' : 'whole') : 'lines';
	// Without a screen to address Ink's own way is the only one.
	const drawnBy = kind === 'whole' ? writer : 'ink';
	let ended: Ending | undefined;
	let isLogged = false;
	let ink: InkInstance | undefined;

	const gone = () => end({how: 'gone'});
	const input = createTtyInput(stdin, {
		ownKeys: {
			'ctrl+c': () => end({how: 'quit'}),
			'ctrl+z': () => jobs.suspend(),
			'ctrl+l': () => screen.repaint(),
		},
		gone,
		replied: reply => questions.hear(reply),
	});
	const screen = createTtyScreen(stdout, {kind, writer: drawnBy, mouse, hasTitle, gone});
	const background = createBackground(capabilities.background);
	const questions = createQuestions({
		send: screen.send,
		withinMs: capabilities.isRemote ? answerWithinMs.remote : answerWithinMs.here,
	});
	let board: Promise<ImageRenderer> | undefined;
	let restoreOutput: () => void = () => undefined;

	function take(): void {
		if (ended !== undefined) return;
		// First the mode: in the background this stops us until we are in the foreground again.
		input.start();
		screen.enter();
		restoreOutput = divertStrayOutput([stdout, stderr], text => log.add('output', text));
	}

	function giveBack(): void {
		restoreOutput();
		const isWritten = screen.leave(leaveWithinMs);
		// Changing the mode waits until all output is read; a reader that stands still is not waited for:
		// Node restores the mode at exit without waiting.
		if ((isWritten && !questions.isOpen) || ended === undefined) input.stop();
	}

	const jobs = createJobControl({
		ready: () => (questions.isOpen ? questions.settled(lastAnswerMs) : undefined),
		release: giveBack,
		resume() {
			if (ended !== undefined) return;
			input.stop();
			screen.leave(0);
			restoreOutput();
			take();
			// A stopped process is not told of a new size; Node asks for it at this signal.
			process.emit('SIGWINCH', 'SIGWINCH');
			screen.repaint();
		},
	});

	function end(ending: Ending): void {
		if (ended !== undefined) return;
		ended = ending;
		if (ending.how === 'crash') isLogged = log.add('crash', ending.error);
		jobs.dispose();
		input.listen(() => undefined);
		giveBack();
		void finishAndExit(ending);
	}

	async function finishAndExit(ending: Ending): Promise<void> {
		const timer = setTimeout(() => {
			stdout.write(`${program} ended before all was saved: no progress for ${finishWithinMs / 1000} s.\n`);
			exit(ending);
		}, finishWithinMs);
		try {
			// The caller may be one of Ink's components.
			await Promise.resolve();
			ink?.unmount();
			const [line] = await Promise.all([finish(ending), questions.settled(lastAnswerMs)]);
			input.stop();
			if (line !== undefined) stdout.write(`${printable(line)}\n`);
		} catch (error) {
			log.add('while ending', error);
		}
		clearTimeout(timer);
		exit(ending);
	}

	function exit(ending: Ending): never {
		if (ending.how === 'refused') stderr.write(`${program}: ${printable(ending.sentence)}\n`);
		if (ending.how === 'crash') stderr.write(`${crashWords(program, ending.error, log, isLogged)}\n`);
		process.exit(exitCode(ending));
	}

	for (const signal of endingSignals) {
		process.on(signal, () => {
			if (ended !== undefined) process.exit(exitCode({how: 'signal', signal}));
			end({how: 'signal', signal});
		});
	}
	process.on('uncaughtException', error => end({how: 'crash', error}));
	process.on('unhandledRejection', error => end({how: 'crash', error}));
	stderr.on('error', gone);
	// Other code ended the process: the terminal is restored all the same.
	process.on('exit', giveBack);

	take();
	if (kind === 'whole' && capabilities.answers) {
		questions.ask(
			firstQuestions(answers => {
				screen.want('kitty', answers.kitty);
				if (answers.background !== undefined) background.set(answers.background);
			}),
		);
	}

	async function openRenderer(): Promise<ImageRenderer> {
		const {createImageRenderer} = await import('./pictures/picture-renderer.ts');
		return createImageRenderer({
			choice,
			capabilities,
			env: process.env,
			ask: questions.ask,
			size: () => screen.inkStdout,
			attach: screen.setPictures,
			repaint: screen.repaint,
		});
	}

	return {
		capabilities,
		inkOptions: {
			stdin: new InkStdin(),
			stdout: screen.inkStdout,
			stderr,
			exitOnCtrlC: false,
			patchConsole: false,
			interactive: true,
			alternateScreen: false,
			...renderingOptions(drawnBy),
			// Each frame whole, without a sequence that moves the cursor.
			...(kind === 'lines' ? {debug: true} : {}),
		},
		background,
		pictures() {
			board ??= openRenderer();
			return board;
		},
		mouse: kind === 'whole' ? createMouse(mouse, isTaken => screen.want('mouse', isTaken)) : undefined,
		attach(instance) {
			ink = instance;
			screen.setRedrawable(instance);
			instance.waitUntilExit().then(
				() => end({how: 'quit'}),
				(error: unknown) => end({how: 'crash', error}),
			);
		},
		listen: input.listen,
		follow: screen.follow,
		suspend: jobs.suspend,
		repaint: screen.repaint,
		send: screen.send,
		setTitle: screen.setTitle,
		end,
	};
}

function createMouse(isTakenFirst: boolean, want: (isTaken: boolean) => void): Mouse {
	let isTaken = isTakenFirst;
	return {
		get isTaken() {
			return isTaken;
		},
		take(next) {
			isTaken = next;
			want(next);
		},
	};
}

/** The message on the user's own screen after a crash: the error, and where to read more. */
function crashWords(program: string, error: unknown, log: CrashLog, isLogged: boolean): string {
	const message = error instanceof Error ? error.message || error.name : String(error);
	const details = isLogged ? 'The details are in' : 'The details could not be written to';
	return `${program} crashed: ${printable(log.clean(message))}\n${details} ${printable(log.file)}`;
}

/** Why the program in the terminal ends. */
type Ending =
	| {readonly how: 'quit'}
	| {readonly how: 'signal'; readonly signal: NodeJS.Signals}
	/** The terminal is not there any more: its window closed, its connection dropped. */
	| {readonly how: 'gone'}
	/** There is nothing to show: the sentence says why. */
	| {readonly how: 'refused'; readonly sentence: string; readonly exitCode: number}
	| {readonly how: 'crash'; readonly error: unknown};

/** The exit code of the process: 0 after a quit, 1 after a crash, its own after a refusal, 128 and the signal's number else. */
function exitCode(ending: Ending): number {
	if (ending.how === 'quit') return 0;
	if (ending.how === 'crash') return 1;
	if (ending.how === 'refused') return ending.exitCode;
	return 128 + constants.signals[ending.how === 'gone' ? 'SIGHUP' : ending.signal];
}

/** A stream that something may write to although the screen is ours. */
type Stray = NodeJS.WritableStream & {readonly isTTY?: boolean};

/**
 * Keeps words that are meant for a terminal (console.log, a warning of Node's) from falling into the
 * picture: while the screen is ours they go to `log`. A stream that is no terminal is left alone.
 *
 * @returns gives the streams back.
 */
function divertStrayOutput(streams: readonly Stray[], log: (text: string) => void): () => void {
	const restores: (() => void)[] = [];
	for (const stream of new Set(streams)) {
		if (stream.isTTY !== true) continue;
		const own = Object.getOwnPropertyDescriptor(stream, 'write');
		const diverted = (
			chunk: unknown,
			encodingOrDone?: unknown,
			done?: (error?: Error | null) => void,
		): boolean => {
			log(typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString());
			const written = typeof encodingOrDone === 'function' ? encodingOrDone : done;
			if (typeof written === 'function') queueMicrotask(() => written(null));
			return true;
		};
		Object.defineProperty(stream, 'write', {value: diverted, configurable: true, writable: true});
		restores.push(() => {
			if (own === undefined) Reflect.deleteProperty(stream, 'write');
			else Object.defineProperty(stream, 'write', own);
		});
	}
	return () => {
		for (const restore of restores.splice(0)) restore();
	};
}

/** The terminal's answers about itself at the start. */
type FirstAnswers = {
	/** It knows the kitty keyboard protocol. */
	readonly kitty: boolean;
	readonly background: 'light' | 'dark' | undefined;
};

const backgroundColour = '\u001b]11;?\u001b\\';
const kittyFlags = '\u001b[?u';

/** The questions at the start. @param answered called when all are answered or the time is over. */
function firstQuestions(answered: (answers: FirstAnswers) => void): Round {
	let answers: FirstAnswers = {kitty: false, background: undefined};
	return {
		text: backgroundColour + kittyFlags,
		hear({kind, data}) {
			if (kind === 'kitty-keyboard') answers = {...answers, kitty: true};
			if (kind === 'osc' && data.startsWith('11;')) {
				answers = {...answers, background: shadeOf(data.slice(3))};
			}
		},
		over: () => answered(answers),
	};
}

/**
 * Reads a colour as X11 writes it (`rgb:ffff/ffff/ffff`, one to four digits a part) as light or dark: by its luma
 * (ITU-R BT.601), as eyes see green brighter than blue.
 */
function shadeOf(colour: string): FirstAnswers['background'] {
	const parts = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(colour);
	if (parts === null) return undefined;
	const [red = 0, green = 0, blue = 0] = parts
		.slice(1)
		.map(digits => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
	return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}
