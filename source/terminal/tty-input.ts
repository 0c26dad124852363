import type {ReadStream} from 'node:tty';
import {createDecoder, type Decoder} from './decoder.ts';
import type {InputEvent, ReplyEvent} from './input-event.ts';

/** How long to wait for the rest of what the decoder holds, in milliseconds. */
type HoldTimes = Readonly<Record<Exclude<Decoder['held'], 'nothing'>, number>>;

/**
 * A lone ESC is a key or the beginning of an arrow, whose rest a network may bring a packet later: 150 ms are met with,
 * also where the environment tells nothing of a network (a container, another user's shell, a tmux server started
 * elsewhere). More than ESC is hardly ever typed, so it may wait longer: `alt+[` is late rather than an arrow broken. A
 * paste that stands still has lost its end.
 */
export const holdTimes: HoldTimes = {escape: 180, sequence: 500, paste: 5000};

/** A terminal sends the bytes of one key at once; a person who types after ESC is slower. */
const togetherMs = 30;

/** The bytes after an ESC that begin a sequence. */
const introducers = new Set([...'[O]P_'].map(character => character.charCodeAt(0)));

/** The clock that the reader waits by; tests bring their own. */
type Timers = {
	now(): number;
	set(call: () => void, milliseconds: number): unknown;
	clear(timer: unknown): void;
};

const realTimers: Timers = {
	now: () => performance.now(),
	set(call, milliseconds) {
		const timer: {late?: NodeJS.Timeout; last?: NodeJS.Immediate} = {};
		// Bytes that came while we were busy are read before the timer ends.
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

type KeyReader = {
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

/** The terminal's keyboard: raw mode, reading and decoding, in one pair of hands. */
type TtyInput = {
	/** Raw mode on, reading begins. */
	start(): void;
	/** Reading ends, the terminal's own line editing is back. */
	stop(): void;
	/** Sets who gets the events; what was typed before comes first. */
	listen(listener: (events: readonly InputEvent[]) => void): void;
};

/** Keys typed before a listener is there are kept, up to a bound. */
const maxTypedAhead = 1000;

type TtyInputOptions = {
	/** Keys that are acted on here and not passed on. */
	readonly ownKeys: Readonly<Record<string, () => void>>;
	/** Called with the terminal's reply to a question; it is not passed on. */
	readonly replied: (reply: ReplyEvent) => void;
	/** Called when nothing will ever be typed again. */
	readonly gone: () => void;
};

export function createTtyInput(stdin: ReadStream, {ownKeys, replied, gone}: TtyInputOptions): TtyInput {
	const typedAhead: InputEvent[] = [];
	let listener: ((events: readonly InputEvent[]) => void) | undefined;
	let isReading = false;

	function pass(events: readonly InputEvent[]): void {
		if (events.length === 0) return;
		if (listener !== undefined) listener(events);
		else typedAhead.push(...events.slice(0, maxTypedAhead - typedAhead.length));
	}

	function receive(events: readonly InputEvent[]): void {
		let start = 0;
		for (const [index, event] of events.entries()) {
			const act =
				event.type === 'reply' ? () => replied(event) : event.type === 'key' ? ownKeys[event.key] : undefined;
			if (act === undefined) continue;
			pass(events.slice(start, index));
			start = index + 1;
			act();
			// The terminal is not ours any more: what was typed behind that key is lost, as in any program.
			if (!isReading) return;
		}
		pass(events.slice(start));
	}

	const reader = createKeyReader(receive);
	const read = (bytes: Uint8Array) => reader.push(bytes);

	// An error on a terminal means that it was closed; without a listener it would be thrown.
	stdin.on('end', gone);
	stdin.on('close', gone);
	stdin.on('error', gone);

	return {
		start() {
			if (isReading) return;
			isReading = true;
			// Node remembers the mode that it set; a shell may have changed the terminal's meanwhile.
			stdin.setRawMode(false);
			stdin.setRawMode(true);
			stdin.on('data', read);
			stdin.resume();
		},
		stop() {
			if (!isReading) return;
			isReading = false;
			stdin.off('data', read);
			stdin.pause();
			reader.reset();
			if (!stdin.destroyed) stdin.setRawMode(false);
		},
		listen(next) {
			listener = next;
			if (typedAhead.length > 0) next(typedAhead.splice(0));
		},
	};
}
