import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {type ReportProblem, reasonOf} from './dataset-error.ts';
import {locate} from './layout.ts';

/** Bytes that one line may have; the statistics of an episode with a hundred features take some hundred thousand. */
const maxLineBytes = 8 * 1024 * 1024;

/** Broken lines of one file that are named one by one; the others are counted. */
const maxNamedLines = 20;

const lineFeed = 0x0a;

/** How much of the file could be read. */
type JsonLinesEnd = {readonly found: boolean; readonly broken: number};

/**
 * Reads a file of JSON lines under a dataset's root. Lines that are no JSON are named and left out; a file that is
 * missing, or breaks off, is named as well.
 *
 * @param root the dataset's root as `realpath` gives it.
 * @param consequence of a file that cannot be read, as the end of a sentence.
 * @param take called for each line; what it returns is the end of a complaint about that line.
 */
export async function readJsonLines(
	root: string,
	file: string,
	consequence: string,
	report: ReportProblem,
	take: (value: unknown) => string | undefined,
): Promise<JsonLinesEnd> {
	let broken = 0;
	const complain = (line: number, complaint: string) => {
		if (broken++ < maxNamedLines) report({file, message: `${file}, line ${line}: ${complaint}.`});
	};
	const located = await locate(root, file);
	if (!located.found) {
		report({file, message: `${file} is ${located.reason}; ${consequence}.`});
		return {found: false, broken};
	}
	try {
		// Before opening it: opening a named pipe would block.
		if (!(await stat(located.path)).isFile()) throw new Error('it is not a file');
		let line = 0;
		for await (const text of linesOf(located.path)) {
			line++;
			if (text?.trim() === '') continue;
			const complaint = text === undefined ? 'it is too long to be one' : takeLine(text, take);
			if (complaint) complain(line, complaint);
		}
	} catch (error) {
		report({file, message: `${file} cannot be read (${reasonOf(error)}); ${consequence}.`});
		return {found: false, broken};
	}
	if (broken > maxNamedLines) {
		report({file, message: `${file} has ${broken - maxNamedLines} more lines that cannot be read.`});
	}
	return {found: true, broken};
}

function takeLine(text: string, take: (value: unknown) => string | undefined): string | undefined {
	let value: unknown;
	try {
		value = parseLine(text);
	} catch (error) {
		return `it is not JSON (${reasonOf(error)})`;
	}
	return take(value);
}

/** Python writes NaN and Infinity, which JSON has no words for; they are read as null. */
function parseLine(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		const nulled = text.replace(/(?<=[[:,\s])-?(?:NaN|Infinity)(?=[\s,\]}])/g, 'null');
		if (nulled === text) throw error;
		return JSON.parse(nulled);
	}
}

/** The lines of a file; undefined for one that is beyond bounds. */
async function* linesOf(file: string): AsyncGenerator<string | undefined> {
	let pieces: Buffer[] = [];
	let size = 0;
	let first = true;
	const line = () => {
		const text = size > maxLineBytes ? undefined : Buffer.concat(pieces).toString('utf8');
		pieces = [];
		size = 0;
		const mark = first && text?.startsWith('\ufeff');
		first = false;
		return mark ? text?.slice(1) : text;
	};
	const keep = (piece: Buffer) => {
		size += piece.length;
		if (size <= maxLineBytes) pieces.push(piece);
		else pieces = [];
	};
	for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
		let from = 0;
		for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
			keep(chunk.subarray(from, end));
			yield line();
			from = end + 1;
		}
		if (from < chunk.length) keep(chunk.subarray(from));
	}
	if (size > 0) yield line();
}
