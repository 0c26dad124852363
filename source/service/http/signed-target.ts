import type {IncomingMessage} from 'node:http';

const target = /^\/local\/v1\/blobs\/[0-9a-f]{64}\?/;

/**
 * True for a blob that is sent to its target (section 4.4): its address is signed, and the signature
 * is the right to call, as a key is elsewhere. The route checks it.
 */
export function isSignedTarget({method, url}: Pick<IncomingMessage, 'method' | 'url'>): boolean {
	return method === 'PUT' && url !== undefined && target.test(url);
}
