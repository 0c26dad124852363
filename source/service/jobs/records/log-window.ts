import {type FileHandle, open} from 'node:fs/promises';
import {jobLogLimits} from '../../../contract/local-jobs.ts';

/** A piece of a log as text, in bytes of the file. */
type LogWindow = {
	readonly offset: number;
	readonly next_offset: number;
	readonly size: number;
	readonly text: string;
};

const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** How many bytes at the end begin a character that the piece does not finish. */
function unfinishedBytes(piece: Buffer): number {
	for (let back = 1; back <= Math.min(3, piece.length); back++) {
		const byte = piece[piece.length - back] ?? 0;
		if (continues(byte)) continue;
		const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
		return length > back ? back : 0;
	}
	return 0;
}

/**
 * Reads a bounded piece of a log. A character is never cut in two, so that pieces read one after the other make the
 * whole; what is no UTF-8 reads as replacement characters.
 *
 * @param wanted in bytes; negative counts from the end
 */
export async function readLogWindow(
	logFile: string,
	wanted: number,
	limit: number = jobLogLimits.default,
): Promise<LogWindow> {
	const file = await open(logFile, 'r').catch(() => undefined);
	if (!file) return {offset: 0, next_offset: 0, size: 0, text: ''};
	try {
		const {size} = await file.stat();
		const start = Math.min(size, wanted < 0 ? Math.max(0, size + wanted) : wanted);
		// Four bytes at least, as a character may have as many.
		const length = Math.min(Math.max(limit, 4), size - start);
		const {buffer, bytesRead} = await file.read(Buffer.alloc(length), 0, length, start);
		const piece = buffer.subarray(0, bytesRead);
		let skipped = 0;
		while (start > 0 && skipped < 3 && continues(piece[skipped])) skipped++;
		const isEnd = start + bytesRead >= size;
		const end = bytesRead - (isEnd ? 0 : unfinishedBytes(piece));
		const text = piece.subarray(skipped, end).toString('utf8');
		return {offset: start + skipped, next_offset: start + end, size, text};
	} finally {
		await file.close();
	}
}

/** The longest line that is looked at; what lies beyond is skipped. */
const maxLine = 16 * 1024;

/** How much of a log is read at once. */
const pieceBytes = 256 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Where the whole lines of a piece end; a bar that is drawn over itself ends its lines with a carriage return. */
function wholeUntil(piece: Buffer): number {
	return Math.max(piece.lastIndexOf(lineFeed), piece.lastIndexOf(carriageReturn)) + 1;
}

type LogReading = {readonly lines: readonly string[]; readonly next: number};

async function readPiece(file: FileHandle, offset: number): Promise<LogReading> {
	const {buffer, bytesRead} = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, offset);
	const piece = buffer.subarray(0, bytesRead);
	const until = wholeUntil(piece);
	if (until === 0) {
		// A line that fills a whole piece is no line of the trainer's.
		return {lines: [], next: bytesRead === pieceBytes ? offset + bytesRead : offset};
	}
	const text = piece.subarray(0, until).toString('utf8');
	const lines = text.split(/[\r\n]+/).filter(line => line.length > 0 && line.length <= maxLine);
	return {lines, next: offset + until};
}

/**
 * Reads the whole lines that a log holds from `offset` on, a bounded piece of them.
 *
 * @returns the lines, and where to read next; that is `offset` itself where nothing new is whole
 */
export async function readLogLines(logFile: string, offset: number): Promise<LogReading> {
	const file = await open(logFile, 'r').catch(() => undefined);
	if (!file) return {lines: [], next: offset};
	try {
		return await readPiece(file, offset);
	} finally {
		await file.close();
	}
}
