import type {IncomingMessage} from 'node:http';

const target = /^\/local\/v1\/blobs\/[0-9a-f]{64}\?/;

/**
 * Whether a request is a blob being sent to its target (section 4.4): there the address is signed, and the signature
 * is the right to call, as a key is elsewhere. Whose route it is checks it.
 */
export function isSignedTarget({method, url}: Pick<IncomingMessage, 'method' | 'url'>): boolean {
	return method === 'PUT' && url !== undefined && target.test(url);
}
