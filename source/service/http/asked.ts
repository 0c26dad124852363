import type {IncomingMessage} from 'node:http';

/** A request that was let in, as those who answer it see it. */
export type Asked = {
	readonly incoming: IncomingMessage;
	/** What stands where the route's path has braces, decoded. */
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
