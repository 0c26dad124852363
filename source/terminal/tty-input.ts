import type {ReadStream} from 'node:tty';
import type {InputEvent, ReplyEvent} from './input-event.ts';
import {createKeyReader} from './key-reader.ts';

/** The terminal's keyboard: raw mode, reading and decoding, in one pair of hands. */
export type TtyInput = {
	/** Raw mode on, reading begins. */
	start(): void;
	/** Reading ends, the terminal's own line editing is back. */
	stop(): void;
	/** Sets who gets the events; what was typed before comes first. */
	listen(listener: (events: readonly InputEvent[]) => void): void;
};

/** What is typed before anybody listens is kept, but not without end. */
const maxTypedAhead = 1000;

export type TtyInputOptions = {
	/** Keys that are acted on before anybody hears of them, and that nobody else hears of. */
	readonly ownKeys: Readonly<Record<string, () => void>>;
	/** Called with what the terminal replies to a question; nobody else hears of it. */
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
