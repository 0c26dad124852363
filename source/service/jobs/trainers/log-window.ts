import {open} from 'node:fs/promises';
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
