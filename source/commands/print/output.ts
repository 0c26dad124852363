import {fileProblem} from '../../files/file-problem.ts';
import {readCapabilities} from '../../terminal/capabilities.ts';
import {printable} from '../../terminal/printable.ts';
import {counted} from '../../terminal/quantity.ts';

/** How something may be drawn on a terminal. */
export type Drawing = {
	/** More than ASCII may be drawn. */
	readonly utf8: boolean;
	/** Something may turn all the time: the terminal is not at the far end of a network. */
	readonly turns: boolean;
};

/** How something may be drawn where a stream leads; undefined where lines are written one after the other. */
export function drawingOn(stream: NodeJS.WriteStream, env = process.env): Drawing | undefined {
	const {isScreen, isSpoken, unicode, isRemote} = readCapabilities(env);
	return stream.isTTY && isScreen && !isSpoken ? {utf8: unicode, turns: !isRemote} : undefined;
}

type Moving = {lift(): void; putBack(): void};

let moving: Moving | undefined;

/** Takes note of the line that moves on stderr: whatever else is written goes above it. */
export function writeAround(line: Moving | undefined): void {
	moving = line;
}

/** Writes to stdout and waits until it is taken; what is written is data, and nothing else goes there. */
export function write(text: string | Uint8Array): Promise<void> {
	moving?.lift();
	return new Promise((resolve, reject) => {
		process.stdout.write(text, error => {
			moving?.putBack();
			if (!error) resolve();
			else if ('code' in error && error.code === 'EPIPE') reject(new ReaderGoneError());
			else reject(new Error(`The output cannot be written: ${fileProblem(error)}.`, {cause: error}));
		});
	});
}

/** Says something to the person at the terminal, on stderr, one printable line. */
export function say(sentence: string): void {
	moving?.lift();
	process.stderr.write(`${printable(sentence)}\n`);
	moving?.putBack();
}

/** Says that elements of a list were left out. @param example where and why, for one of them */
export function printLeftOut(count: number, example = ''): void {
	if (count === 0) return;
	const where = example === '' ? '' : ` (${example})`;
	say(`${counted(count, 'item')} broke the interface and ${count === 1 ? 'was' : 'were'} left out${where}.`);
}

/** How wide lines may be: the terminal's width, or no bound where output goes elsewhere. */
export function outputWidth(): number {
	return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}

/** The reader of our output has closed it, which is no failure. */
export class ReaderGoneError extends Error {
	override readonly name = 'ReaderGoneError';
}

/** Keeps a closed reader from ending the program by an unhandled event; the write itself reports it. */
export function tolerateClosedReaders(): void {
	process.stdout.on('error', () => undefined);
	process.stderr.on('error', () => undefined);
}
