import {type FileHandle, open} from 'node:fs/promises';

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

export type LogReading = {readonly lines: readonly string[]; readonly next: number};

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
