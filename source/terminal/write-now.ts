import {writeSync} from 'node:fs';

const pauseBetweenTries = new Int32Array(new SharedArrayBuffer(4));

/** Node's own handle of a terminal stream; undocumented, and missing where the stream is none. */
type WithHandle = {readonly _handle?: {setBlocking?: (isBlocking: boolean) => unknown} | null};

/**
 * Writes past Node's streams, as a process that is about to stop or end has to. A terminal whose reader
 * stands still (ctrl+s, a hung connection) is waited for until `milliseconds` are over, and not longer.
 *
 * @returns whether all of it was written.
 */
export function writeNow(
	stream: NodeJS.WritableStream & {readonly fd?: number},
	text: string,
	milliseconds: number,
): boolean {
	const {fd} = stream;
	if (fd === undefined) {
		stream.write(text);
		return true;
	}
	// Terminals are written to blockingly; blocked for ever, the process could not even end.
	(stream as WithHandle)._handle?.setBlocking?.(false);
	const deadline = performance.now() + milliseconds;
	let rest = Buffer.from(text);
	try {
		while (rest.length > 0) {
			const written = tryWrite(fd, rest);
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
		(stream as WithHandle)._handle?.setBlocking?.(true);
	}
}

function tryWrite(fd: number, bytes: Uint8Array): number {
	try {
		return writeSync(fd, bytes);
	} catch (error) {
		if (error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EINTR'))
			return 0;
		throw error;
	}
}
