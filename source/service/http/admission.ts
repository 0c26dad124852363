import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {Refusal} from '../host/refusal.ts';
import {isSignedTarget} from './signed-target.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Admits requests of this machine's programs. A web page can make a browser send requests to loopback: it cannot
 * choose their Host (which defeats DNS rebinding), it cannot hide their Origin, and it does not know the key.
 *
 * @param port the port that the service listens on
 * @returns the refusal, or undefined
 */
export function createAdmission(
	key: string,
): (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, port: number) => Refusal | undefined {
	const expected = digest(key);
	return (request, port) => {
		const {headers} = request;
		const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
		const {host, origin} = headers;
		if (!host || !hosts.includes(host.toLowerCase())) {
			return new Refusal(
				'forbidden',
				`This service answers as ${hosts[0]} only; the request has another Host.`,
			);
		}
		if (origin !== undefined && !hosts.some(own => origin.toLowerCase() === `http://${own}`)) {
			return new Refusal(
				'forbidden',
				'This service refuses requests that come from a web page of another origin.',
			);
		}
		if (isSignedTarget(request)) return undefined;
		const given = headers['x-api-key'];
		if (given === undefined) {
			return new Refusal(
				'unauthenticated',
				'The x-api-key header is missing: this service requires its key.',
			);
		}
		// Hashed first: the comparison then takes the same time whatever the length of what was given.
		if (typeof given !== 'string' || !timingSafeEqual(digest(given), expected)) {
			return new Refusal(
				'unauthenticated',
				'The x-api-key header holds a key that this service does not know.',
			);
		}
		return undefined;
	};
}
