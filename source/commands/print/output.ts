import {fileProblem} from '../../files/file-problem.ts';
import {printable} from '../../terminal/printable.ts';
import {counted} from '../../terminal/quantity.ts';

/** Writes to stdout and waits until it is taken; what is written is data, and nothing else goes there. */
export function write(text: string | Uint8Array): Promise<void> {
	return new Promise((resolve, reject) => {
		process.stdout.write(text, error => {
			if (!error) resolve();
			else if ('code' in error && error.code === 'EPIPE') reject(new ReaderGoneError());
			else reject(new Error(`The output cannot be written: ${fileProblem(error)}.`, {cause: error}));
		});
	});
}

/** Says something to the person at the terminal, on stderr, one printable line. */
export function say(sentence: string): void {
	process.stderr.write(`${printable(sentence)}\n`);
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

/** Whoever read our output has gone: there is nobody left to write for, which is no failure. */
export class ReaderGoneError extends Error {
	override readonly name = 'ReaderGoneError';
}

/** Keeps a closed reader from ending the program by an unhandled event; who writes is told by the write itself. */
export function tolerateClosedReaders(): void {
	process.stdout.on('error', () => undefined);
	process.stderr.on('error', () => undefined);
}
