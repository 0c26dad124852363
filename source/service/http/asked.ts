import type {IncomingMessage} from 'node:http';

/** A request that was let in, as those who answer it see it. */
export type Asked = {
	readonly incoming: IncomingMessage;
	/** The values of the braces in the route's path, decoded. */
	readonly parameters: Readonly<Record<string, string>>;
	readonly query: URLSearchParams;
};

/**
 * A request's body, in pieces. The connection stays open when its reader stops before the end: the answer is to go
 * out on it.
 */
export function bodyOf({incoming}: Pick<Asked, 'incoming'>): AsyncIterable<Uint8Array> {
	return {[Symbol.asyncIterator]: () => incoming.iterator({destroyOnReturn: false})};
}

const outcomes = new WeakMap<IncomingMessage, string>();

/** Notes what a request came to, in a few words that the log of who did what may hold. */
export function noteOutcome({incoming}: Pick<Asked, 'incoming'>, words: string): void {
	outcomes.set(incoming, words);
}

export function outcomeOf(incoming: IncomingMessage): string | undefined {
	return outcomes.get(incoming);
}
