import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';
import {hostname} from 'node:os';
import {Refusal} from '../host/refusal.ts';
import {isSignedTarget} from '../http/signed-target.ts';
import {noteCaller} from './caller.ts';
import type {AccessKey, KeysFile} from './keys-file.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The host of an authority: `10.0.0.7`, `lab-3`, `::1`; undefined for what is no authority. */
function hostOf(authority: string): string | undefined {
	const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(authority) ?? [];
	return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '');
}

/**
 * Which hosts a request may name. A page can have a name of its own resolve to any address (DNS rebinding) but cannot
 * make a browser send an address as Host that it did not load: so addresses will do, and names that are this machine's.
 */
function knownHosts(hosts: readonly string[]): (authority: string | undefined) => boolean {
	const own = hostname().toLowerCase();
	const names = new Set([own, own.split('.')[0], 'localhost', ...hosts.map(host => host.toLowerCase())]);
	return authority => {
		const host = authority === undefined ? undefined : hostOf(authority);
		return host !== undefined && (isIP(host) !== 0 || names.has(host));
	};
}

/** Finds a key by its hash, in the same time whichever it is and whether or not it is there. */
function keyFinder(keys: readonly AccessKey[]): (given: string) => AccessKey | undefined {
	const known = keys.map(key => ({key, hash: Buffer.from(key.sha256, 'hex')}));
	return given => {
		const hash = digest(given);
		let found: AccessKey | undefined;
		for (const each of known) if (timingSafeEqual(each.hash, hash)) found = each.key;
		return found;
	};
}

/**
 * Admits a request from another machine that names a host of this one, comes from no
 * web page of another, and has a key of the keys file that acts on this service's account.
 *
 * @param network the keys, and the address of a proxy before this service, whose host is this service's too
 * @param account the one account that this service holds
 */
export function createNetworkAdmission(
	{keys: {keys, hosts}, publicUrl}: {keys: KeysFile; publicUrl?: string | undefined},
	account: string,
): (request: IncomingMessage) => Refusal | undefined {
	const isKnownHost = knownHosts(publicUrl === undefined ? hosts : [...hosts, new URL(publicUrl).hostname]);
	const findKey = keyFinder(keys);
	return request => {
		const {host, origin, 'x-api-key': given} = request.headers;
		if (!isKnownHost(host)) {
			return new Refusal(
				'forbidden',
				'This service does not answer under the name in the Host header. Names that it should answer under go into "hosts" of its keys file.',
			);
		}
		if (origin !== undefined && !['http', 'https'].some(scheme => origin === `${scheme}://${host}`)) {
			return new Refusal(
				'forbidden',
				'This service refuses requests that come from a web page of another origin.',
			);
		}
		if (isSignedTarget(request)) return undefined;
		if (given === undefined) {
			return new Refusal(
				'unauthenticated',
				'The x-api-key header is missing: this service requires one of its keys.',
			);
		}
		const key = typeof given === 'string' ? findKey(given) : undefined;
		if (!key)
			return new Refusal(
				'unauthenticated',
				'The x-api-key header holds a key that this service does not know.',
			);
		if (!key.accounts.some(each => each.toLowerCase() === account)) {
			return new Refusal('forbidden', `This key acts on other accounts than this service's, ${account}.`);
		}
		noteCaller(request, {name: key.name, key: key.sha256, role: key.role});
		return undefined;
	};
}
