import {createDecoder, type Decoder} from './decoder.ts';
import type {InputEvent} from './input-event.ts';

/** How long to wait for the rest of what the decoder holds, in milliseconds. */
export type HoldTimes = Readonly<Record<Exclude<Decoder['held'], 'nothing'>, number>>;

/**
 * A lone ESC is a key or the beginning of an arrow, whose rest a network may bring a packet later: 150 ms are met with,
 * also where the environment tells nothing of a network (a container, another user's shell, a tmux server started
 * elsewhere). More than ESC is hardly ever typed, so it may wait longer: `alt+[` is late rather than an arrow broken. A
 * paste that stands still has lost its end.
 */
export const holdTimes: HoldTimes = {escape: 180, sequence: 500, paste: 5000};

/** What a terminal sends as one thing it sends at once; who types after ESC is slower. */
const togetherMs = 30;

/** What may follow an ESC that begins a sequence. */
const introducers = new Set([...'[O]P_'].map(character => character.charCodeAt(0)));

/** The clock that the reader waits by; tests bring their own. */
export type Timers = {
	now(): number;
	set(call: () => void, milliseconds: number): unknown;
	clear(timer: unknown): void;
};

const realTimers: Timers = {
	now: () => performance.now(),
	set(call, milliseconds) {
		const timer: {late?: NodeJS.Timeout; last?: NodeJS.Immediate} = {};
		// What came while we were busy is read before we say that nothing did.
		timer.late = setTimeout(() => {
			timer.last = setImmediate(call);
		}, milliseconds);
		return timer;
	},
	clear(timer) {
		const {late, last} = timer as {late?: NodeJS.Timeout; last?: NodeJS.Immediate};
		clearTimeout(late);
		clearImmediate(last);
	},
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
	hold: HoldTimes = holdTimes,
	timers: Timers = realTimers,
): KeyReader {
	let decoder = createDecoder();
	let timer: unknown;
	let heldSince = 0;

	function stopWaiting(): void {
		if (timer !== undefined) timers.clear(timer);
		timer = undefined;
	}

	return {
		push(bytes) {
			stopWaiting();
			const isAlone =
				decoder.held === 'escape' &&
				timers.now() - heldSince >= togetherMs &&
				!introducers.has(bytes[0] ?? 0);
			const events = isAlone ? [...decoder.flush(), ...decoder.push(bytes)] : decoder.push(bytes);
			heldSince = timers.now();
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
