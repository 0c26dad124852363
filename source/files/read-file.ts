import {constants, type FileHandle, open, readFile} from 'node:fs/promises';
import {systemCode} from './file-problem.ts';

/** How long a pipe is waited for, in milliseconds: for its first writer, and for each further piece. */
type Patience = {readonly writerMs: number; readonly silenceMs: number};

const usualPatience: Patience = {writerMs: 5000, silenceMs: 60_000};

/** Between two looks at a pipe that has nothing to read. */
const lookMs = 20;

/**
 * Reads a file whole. It may be a named pipe, as password managers and `<(command)` make them; one that nothing
 * writes to would be waited for without end.
 *
 * @throws {Error} with a reason that goes after a colon, or the system's error
 */
export async function readFileOrPipe(file: string, patience: Patience = usualPatience): Promise<Buffer> {
	// A pipe is opened without waiting for its writer; a regular file is read as ever.
	const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		const stats = await handle.stat();
		if (stats.isFIFO()) return await readPipe(handle, patience);
		// A terminal must be waited for.
		return await (stats.isFile() ? handle.readFile() : readFile(file));
	} finally {
		await handle.close();
	}
}

async function readPipe(handle: FileHandle, {writerMs, silenceMs}: Patience): Promise<Buffer> {
	const pieces: Buffer[] = [];
	const piece = Buffer.alloc(64 * 1024);
	let since = performance.now();
	for (;;) {
		const count = await readPiece(handle, piece);
		if (count) {
			pieces.push(Buffer.from(piece.subarray(0, count)));
			since = performance.now();
			continue;
		}
		// It has no writer: not yet, or not any longer.
		const isUnwritten = count === 0;
		if (isUnwritten && pieces.length > 0) return Buffer.concat(pieces);
		const waited = performance.now() - since;
		if (isUnwritten && waited > writerMs) {
			throw new Error(`it is a named pipe, and nothing was written to it within ${writerMs / 1000} s`);
		}
		if (waited > silenceMs) throw new Error(`it is a named pipe, and nothing came for ${silenceMs / 1000} s`);
		// node:timers/promises would be loaded at every start.
		await new Promise(resolve => setTimeout(resolve, lookMs));
	}
}

/** @returns undefined where a writer may still come */
async function readPiece(handle: FileHandle, piece: Buffer): Promise<number | undefined> {
	try {
		return (await handle.read(piece, 0, piece.length, null)).bytesRead;
	} catch (error) {
		if (systemCode(error) === 'EAGAIN') return undefined;
		throw error;
	}
}
