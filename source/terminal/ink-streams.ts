import {Readable, Writable} from 'node:stream';

/** The input that Ink gets in place of the terminal: it says nothing, keys go another way. */
export class InkStdin extends Readable {
	/** Ink asks it whether raw mode can be had; the session has it already. */
	readonly isTTY = true;

	setRawMode(): this {
		return this;
	}

	ref(): this {
		return this;
	}

	unref(): this {
		return this;
	}

	override _read(): void {}
}

/** Takes what Ink draws to the terminal: as it is, or cell by cell. */
export type FrameSink = {
	/** @param done called once the bytes are with the system. @returns false where the reader is behind. */
	write(output: string, done: () => void): boolean;
};

/** The size of the terminal in cells. */
export type ScreenSize = {readonly columns: number; readonly rows: number};

/** The output that Ink gets in place of the terminal. */
export class InkStdout extends Writable {
	readonly isTTY = true;
	/** Nothing is written: the screen is not ours, or is about to be erased. */
	isMuted = false;
	readonly #sink: FrameSink;
	readonly #size: () => ScreenSize;

	constructor(sink: FrameSink, size: () => ScreenSize) {
		super({decodeStrings: false});
		this.#sink = sink;
		this.#size = size;
		// Every component that asks for the window's size listens.
		this.setMaxListeners(0);
	}

	get columns(): number {
		return this.#size().columns;
	}

	get rows(): number {
		return this.#size().rows;
	}

	override write(
		chunk: string | Uint8Array,
		encodingOrDone?: BufferEncoding | ((error: Error | null | undefined) => void),
		done?: (error: Error | null | undefined) => void,
	): boolean {
		const written = typeof encodingOrDone === 'function' ? encodingOrDone : done;
		const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
		const finished = () => written?.(null);
		if (text !== '' && !this.isMuted) return this.#sink.write(text, finished);
		queueMicrotask(finished);
		return true;
	}
}

/** A teletype can't take a line back: so often it prints what has changed, and not oftener. */
const printEveryMs = 200;

/** Frames for a terminal that can only be written to line by line. */
type PlainLines = FrameSink & {
	/** The next frame is printed whole. */
	forget(): void;
	/** Prints what is still to be printed, and no more. */
	end(): void;
};

/**
 * Prints of each frame the rows that were not there before, so that a moved selection is a line or two and no screenful.
 *
 * @param print takes whole lines to the terminal.
 */
export function createPlainLines(print: (lines: string) => void): PlainLines {
	let printed: readonly string[] = [];
	let newest: readonly string[] = [];
	let timer: NodeJS.Timeout | undefined;

	function flush(): void {
		timer = undefined;
		const lines = newest.filter((line, row) => line !== '' && line !== printed[row]);
		printed = newest;
		if (lines.length > 0) print(`${lines.join('\n')}\n`);
	}

	return {
		write(frame, done) {
			newest = frame.split('\n').map(row => row.trimEnd());
			timer ??= setTimeout(flush, printEveryMs);
			queueMicrotask(done);
			return true;
		},
		forget() {
			printed = [];
		},
		end() {
			clearTimeout(timer);
			flush();
		},
	};
}
