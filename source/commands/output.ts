import {fileProblem} from '../files/file-problem.ts';
import {printable} from '../terminal/printable.ts';
import {counted} from '../terminal/quantity.ts';
import {ReaderGoneError} from './closed-readers.ts';

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
export function sayLeftOut(count: number, example = ''): void {
	if (count === 0) return;
	const where = example === '' ? '' : ` (${example})`;
	say(`${counted(count, 'item')} broke the interface and ${count === 1 ? 'was' : 'were'} left out${where}.`);
}

/** How wide lines may be: the terminal's width, or no bound where output goes elsewhere. */
export function outputWidth(): number {
	return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}

/** What JSON may hold as it is and a terminal must not see: DEL, C1, bidi, zero-width, line ends and tag characters. */
const hidden =
	/[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** The same JSON with invisible characters as escapes, safe to print anywhere. */
export function visibleJson(json: string): string {
	return json.replace(hidden, chars =>
		[...Array(chars.length).keys()]
			.map(i => `\\u${chars.charCodeAt(i).toString(16).padStart(4, '0')}`)
			.join(''),
	);
}
