import {createDecoder, type Decoder} from './decoder.ts';
import type {InputEvent} from './input-event.ts';

/** How long to wait for the rest of what the decoder holds, in milliseconds. */
export type HoldTimes = Readonly<Record<Exclude<Decoder['held'], 'nothing'>, number>>;

/**
 * A lone ESC is a key or the beginning of an arrow. On this machine the rest of an arrow comes at once;
 * over a network it may come a packet later. More than ESC is hardly ever typed, so it may wait longer:
 * `alt+[` is late rather than an arrow broken. A paste that stands still has lost its end.
 */
export function holdTimes({isRemote}: {isRemote: boolean}): HoldTimes {
	return {escape: isRemote ? 150 : 30, sequence: isRemote ? 500 : 200, paste: 5000};
}

/** The clock that the reader waits by; tests bring their own. */
export type Timers = {
	set(call: () => void, milliseconds: number): unknown;
	clear(timer: unknown): void;
};

const realTimers: Timers = {
	set: (call, milliseconds) => setTimeout(call, milliseconds),
	clear: timer => clearTimeout(timer as NodeJS.Timeout),
};

export type KeyReader = {
	/** Takes bytes from the terminal; events are emitted before it returns, or when waiting is over. */
	push(bytes: Uint8Array): void;
	/** Forgets what is held: the terminal is not ours any more. */
	reset(): void;
};

/** The decoder with its clock: emits the events of each chunk together, so that a burst stays one. */
export function createKeyReader(
	emit: (events: readonly InputEvent[]) => void,
	hold: HoldTimes,
	timers: Timers = realTimers,
): KeyReader {
	let decoder = createDecoder();
	let timer: unknown;

	function stopWaiting(): void {
		if (timer !== undefined) timers.clear(timer);
		timer = undefined;
	}

	return {
		push(bytes) {
			stopWaiting();
			const events = decoder.push(bytes);
			const {held} = decoder;
			if (held !== 'nothing') {
				timer = timers.set(() => {
					timer = undefined;
					const late = decoder.flush();
					if (late.length > 0) emit(late);
				}, hold[held]);
			}
			if (events.length > 0) emit(events);
		},
		reset() {
			stopWaiting();
			decoder = createDecoder();
		},
	};
}
