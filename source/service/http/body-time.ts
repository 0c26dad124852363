import type {IncomingMessage} from 'node:http';
import {isSignedTarget} from './signed-target.ts';

/** How long a request's body may take to arrive, in milliseconds. */
const usualMs = 30_000;

/** A blob may be sent over a slow line: it has the usual time, and that of its bytes at this rate. */
const slowestBytesPerMs = 32;
const largestBlob = 32 * 1024 * 1024;

/** The longest that any request may take. */
export const longestMs = usualMs + largestBlob / slowestBytesPerMs;

/**
 * Calls when a request's body has not arrived in the time that it has.
 *
 * @param late what ends the request
 */
export function boundBodyTime(request: IncomingMessage, late: () => void): void {
	if (request.method === 'GET' || request.method === 'HEAD') return;
	const length = Number(request.headers['content-length'] ?? largestBlob);
	const more = isSignedTarget(request) ? Math.min(length, largestBlob) / slowestBytesPerMs : 0;
	const timer = setTimeout(() => {
		if (!request.complete) late();
	}, usualMs + more);
	timer.unref();
	request.once('close', () => clearTimeout(timer));
	request.once('end', () => clearTimeout(timer));
}
