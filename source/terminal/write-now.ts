import {writeSync} from 'node:fs';

const pauseBetweenTries = new Int32Array(new SharedArrayBuffer(4));

type TerminalStream = NodeJS.WritableStream & {readonly fd?: number};

/** Node's own handle of a terminal stream; undocumented, and missing where the stream is none. */
type WithHandle = {readonly _handle?: {setBlocking?: (isBlocking: boolean) => unknown} | null};

/** Whether a write waits for a slow reader: Node's terminals do, and hold the whole program up meanwhile. */
export function setBlocking(stream: TerminalStream, isBlocking: boolean): void {
	(stream as WithHandle)._handle?.setBlocking?.(isBlocking);
}

/**
 * Writes past Node's streams, as a process that is about to stop or end has to. A terminal whose reader
 * stands still (ctrl+s, a hung connection) is waited for until `milliseconds` are over, and not longer.
 *
 * @returns whether all of it was written.
 */
export function writeNow(stream: TerminalStream, text: string, milliseconds: number): boolean {
	const {fd} = stream;
	if (fd === undefined) {
		stream.write(text);
		return true;
	}
	// Blocked for ever, the process could not even end.
	setBlocking(stream, false);
	const deadline = performance.now() + milliseconds;
	let rest: Uint8Array = Buffer.from(text);
	try {
		while (rest.length > 0) {
			const written = writeSome(fd, rest);
			rest = rest.subarray(written);
			if (written > 0) continue;
			if (performance.now() >= deadline) return false;
			Atomics.wait(pauseBetweenTries, 0, 0, 5);
		}
		return true;
	} catch {
		// The terminal is gone; there is nothing to restore.
		return false;
	} finally {
		setBlocking(stream, true);
	}
}

/** @returns how many bytes the terminal took. @throws where it is gone. */
export function writeSome(fd: number, bytes: Uint8Array): number {
	try {
		return writeSync(fd, bytes);
	} catch (error) {
		if (error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EINTR'))
			return 0;
		throw error;
	}
}
