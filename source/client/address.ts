import {RequestError} from './errors.ts';

/** Where a service is and how a call may go there. */
export type ServiceAddress = {
	/** Scheme, host and port. */
	readonly origin: string;
	/** A path that stands before every endpoint's, without a trailing slash; often empty. */
	readonly prefix: string;
	/** How messages name the service. */
	readonly shown: string;
	/** On this machine, by a loopback address: no proxy, and plain http is safe. */
	readonly loopback: boolean;
	/** Nothing on the way can read along: https, or loopback. */
	readonly confidential: boolean;
};

function refuse(bound: string): never {
	throw new RequestError(`The service's address ${bound}.`, {field: 'url', bound});
}

/** True if a URL's host name means this machine by a loopback address. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Reads a service's base address.
 *
 * @throws {RequestError} (field `url`) when it is none that a call can be sent to.
 */
export function readAddress(text: string): ServiceAddress {
	if (!URL.canParse(text)) refuse(`must be a URL such as https://lake.example.com, and "${text}" is not one`);
	const url = new URL(text);
	if (url.username || url.password)
		refuse('must not contain a user name or password; the key goes in LAKESCOPE_API_KEY');
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		refuse(`must begin with https:// or http://, and "${text}" does not`);
	if (url.search || url.hash) refuse(`must contain neither "?" nor "#", and "${text}" does`);
	const loopback = isLoopback(url.hostname);
	const prefix = url.pathname.replace(/\/+$/, '');
	return {
		origin: url.origin,
		prefix,
		shown: url.origin + prefix,
		loopback,
		confidential: loopback || url.protocol === 'https:',
	};
}

/**
 * Keeps a key from going where others could read it.
 *
 * @throws {RequestError} (field `x-api-key`) when the way to the service is an open one.
 */
export function requireConfidential(address: ServiceAddress, key: string | undefined): void {
	if (key === undefined || address.confidential) return;
	const bound = `is not sent over plain http to ${address.shown}`;
	const sentence = `The key ${bound}, where others could read it. Use https, or allow it with LAKESCOPE_ALLOW_HTTP=1.`;
	throw new RequestError(sentence, {field: 'x-api-key', bound});
}
