import {writeSync} from 'node:fs';

/** Bytes on their way to the terminal, in one pair of hands: what a slow reader has not taken yet is known here. */
export type TtyOutput = {
	/** Sends what the terminal takes now; the rest follows as it is read. */
	write(text: string): void;
	/** True if the terminal has taken everything. */
	readonly isTaken: boolean;
	/** Calls once the terminal has taken everything: at once where it has. */
	whenTaken(listener: () => void): void;
	/**
	 * The last before the program stops or ends: what is still on its way is given up, and a reader that stands still is
	 * waited for no longer than `milliseconds`.
	 *
	 * @returns whether all of it was written.
	 */
	writeLast(text: string, milliseconds: number): boolean;
};

/** A terminal that took nothing is tried again after so long; after twice as long each time, up to the second figure. */
const [firstPauseMs, lastPauseMs] = [4, 64];

/** Cancels a sequence that was cut short (ECMA-48, CAN). */
const cancel = '\u0018';

/**
 * @param isPatient the program goes on while a slow reader reads: it answers keys and signals, and may leave out frames.
 * @param gone called when the terminal can't be written to any more.
 */
export function createTtyOutput(
	stdout: NodeJS.WriteStream & {readonly fd: number},
	{isPatient, gone}: {isPatient: boolean; gone: () => void},
): TtyOutput {
	let rest: Uint8Array = new Uint8Array();
	let timer: NodeJS.Timeout | undefined;
	let listeners: (() => void)[] = [];

	function push(pauseMs: number): void {
		timer = undefined;
		let pause = pauseMs;
		try {
			while (rest.length > 0) {
				const written = writeSome(stdout.fd, rest);
				rest = rest.subarray(written);
				if (written > 0) pause = firstPauseMs;
				else {
					timer = setTimeout(push, pause, Math.min(pause * 2, lastPauseMs));
					return;
				}
			}
		} catch {
			rest = new Uint8Array();
			gone();
			return;
		}
		for (const listener of listeners.splice(0)) listener();
	}

	return {
		write(text) {
			const bytes = Buffer.from(text);
			rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
			if (timer !== undefined) return;
			if (isPatient) setBlocking(stdout, false);
			push(firstPauseMs);
		},
		get isTaken() {
			return rest.length === 0;
		},
		whenTaken(listener) {
			if (rest.length > 0) listeners.push(listener);
			else listener();
		},
		writeLast(text, milliseconds) {
			clearTimeout(timer);
			timer = undefined;
			listeners = [];
			const isCut = rest.length > 0;
			rest = new Uint8Array();
			return writeNow(stdout, isCut ? cancel + text : text, milliseconds);
		},
	};
}

const pauseBetweenTries = new Int32Array(new SharedArrayBuffer(4));

type TerminalStream = NodeJS.WritableStream & {readonly fd?: number};

/** Node's own handle of a terminal stream; undocumented, and missing where the stream is none. */
type WithHandle = {readonly _handle?: {setBlocking?: (isBlocking: boolean) => unknown} | null};

/** Makes writes wait for a slow reader, or not: those to Node's terminals do by default, and hold up the whole program. */
function setBlocking(stream: TerminalStream, isBlocking: boolean): void {
	(stream as WithHandle)._handle?.setBlocking?.(isBlocking);
}

/**
 * Writes past Node's streams, as a process that is about to stop or end has to. A terminal whose reader
 * stands still (ctrl+s, a hung connection) is waited for until `milliseconds` are over, and not longer.
 *
 * @returns whether all of it was written.
 */
function writeNow(stream: TerminalStream, text: string, milliseconds: number): boolean {
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
function writeSome(fd: number, bytes: Uint8Array): number {
	try {
		return writeSync(fd, bytes);
	} catch (error) {
		if (error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EINTR'))
			return 0;
		throw error;
	}
}
