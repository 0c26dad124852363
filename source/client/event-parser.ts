import {createParser, type EventSourceParser} from 'eventsource-parser';

/** One block of a stream of events, as the standard has it. */
export type Block = {
	/** The last id that was seen once this block was over: what to come back with. Empty where there is none. */
	readonly lastId: string;
	/** Undefined for a block that only sets the id. */
	readonly event: {readonly id: string | undefined; readonly name: string; readonly data: string} | undefined;
};

/** The most that is held of an event that is not whole yet, in characters. */
export const maxEventChars = 1024 * 1024;

/** Reads the bytes of a stream of server-sent events, however they are cut; carries the last id forward. */
export class EventParser {
	// Node's decoder takes two byte order marks away where the first comes in pieces.
	readonly #decoder = new TextDecoder('utf-8', {ignoreBOM: true});
	readonly #parser: EventSourceParser;
	#lastId: string;
	#ready: Block[] = [];
	#begun = false;
	#overflowed = false;

	/** @param options.onRetry told the wait that the stream asks for, in milliseconds, unbounded */
	constructor({lastId = '', onRetry}: {lastId?: string; onRetry?: (ms: number) => void} = {}) {
		this.#lastId = lastId;
		this.#parser = createParser({
			maxBufferSize: maxEventChars,
			onId: id => {
				this.#lastId = id;
				this.#ready.push({lastId: id, event: undefined});
			},
			onEvent: ({id, event, data}) => {
				// The id of an event's own block was told just before.
				if (id !== undefined) this.#ready.pop();
				this.#ready.push({lastId: this.#lastId, event: {id, name: event ?? 'message', data}});
			},
			onRetry: ms => onRetry?.(ms),
			onError: error => {
				// A field that is not known is passed over, as the standard has it.
				if (error.type === 'max-buffer-size-exceeded') this.#overflowed = true;
			},
		});
		// An empty line ends the parser's own search for a byte order mark, which takes some letters for one.
		this.#parser.feed('\n');
	}

	/** An event grew beyond {@link maxEventChars}; no more can be read. */
	get overflowed(): boolean {
		return this.#overflowed;
	}

	/** @returns the blocks that these bytes made whole */
	feed(bytes: Uint8Array): readonly Block[] {
		const text = this.#decoder.decode(bytes, {stream: true});
		this.#parser.feed(this.#begun ? text : text.replace(/^\uFEFF/, ''));
		this.#begun ||= text !== '';
		const ready = this.#ready;
		this.#ready = [];
		return ready;
	}
}
