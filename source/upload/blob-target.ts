import {isLoopback} from '../client/address.ts';

/** Where one blob is to be sent, as far as the service said. */
export type BlobTarget = {
	readonly blobId: string;
	/** Whether the service holds the content already; undefined where it does not say. */
	readonly stored: boolean | undefined;
	readonly url: string;
	/** To be sent along. */
	readonly headers: Readonly<Record<string, string>>;
	/** From when on the target is no use, in milliseconds since 1970; undefined where that is not known. */
	readonly expiresAt: number | undefined;
};

/** The service that gave a target, as far as its targets' safety depends on it. */
export type TargetGiver = {
	readonly origin: string;
	readonly loopback: boolean;
	/** It may be spoken to over plain http, by being on this machine or because that was allowed. */
	readonly plainAllowed: boolean;
};

/**
 * Why a target's address is not sent to, as the end of a sentence; undefined where it is. Content goes over https, or
 * over plain http to where the service itself is spoken to so.
 */
export function addressProblem(text: string, giver: TargetGiver): string | undefined {
	if (!URL.canParse(text)) return 'is no URL';
	const url = new URL(text);
	if (url.username || url.password) return 'holds a user name or password';
	if (url.protocol === 'https:') return undefined;
	if (url.protocol !== 'http:') return 'is neither https nor http';
	if (giver.loopback && isLoopback(url.hostname)) return undefined;
	if (giver.plainAllowed && url.origin === giver.origin) return undefined;
	return 'is plain http, where others could read along';
}

/** Names that the connection itself has, or that would carry the key elsewhere. */
const refusedHeaders = new Set([
	'x-api-key',
	'host',
	'connection',
	'content-length',
	'transfer-encoding',
	'expect',
	'upgrade',
	'keep-alive',
	'te',
	'trailer',
]);

/** Whether a header of a target may be sent as it is. */
export function isPlainHeader([name, value]: readonly [string, string]): boolean {
	return (
		/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name) &&
		/^[\t\x20-\x7e\x80-\xff]*$/.test(value) &&
		!refusedHeaders.has(name.toLowerCase())
	);
}
