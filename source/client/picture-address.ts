import type {LookupAddress} from 'node:dns';
import net, {isIP, type LookupFunction} from 'node:net';
import {isLoopback, type ServiceAddress} from './address.ts';
import {RequestError} from './errors.ts';

/** Addresses that are not on the public internet (IANA's special-purpose registries): this machine, its network, groups. */
const special: readonly (readonly [string, number])[] = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['224.0.0.0', 3],
	['::', 96],
	['64:ff9b:1::', 48],
	['fc00::', 7],
	['fe80::', 9],
	['ff00::', 8],
];

let known: net.BlockList | undefined;

/** True if an IP address is one of a private network, or of this machine; `::ffff:10.0.0.1` is the IPv4 one. */
export function isPrivate(address: string): boolean {
	if (known === undefined) {
		// By the module itself: the class is one of its lazy exports.
		known = new net.BlockList();
		for (const [prefix, bits] of special) known.addSubnet(prefix, bits, isIP(prefix) === 6 ? 'ipv6' : 'ipv4');
	}
	return known.check(address.split('%', 1)[0] ?? '', isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** A host as it is compared: without the brackets of an IPv6 address and the dot at a name's end. */
const plainHost = (host: string) => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');

/** A private address is read only where that is intended: on the service's own host, or on one of `thumbHosts`. */
export function mayBePrivate(url: URL, service: ServiceAddress, thumbHosts: readonly string[]): boolean {
	const {hostname} = new URL(service.origin);
	if (service.loopback && isLoopback(url.hostname)) return true;
	const host = plainHost(url.hostname);
	return [hostname, ...thumbHosts].some(each => plainHost(each) === host);
}

function refusal(host: string, address: string): RequestError {
	const lies =
		host === address ? 'is in a private network or this machine' : `is ${address}, in a private network`;
	return new RequestError(
		`The picture is not read: its host ${host} ${lies}, and is not the service's own. To allow it, name it in "thumbHosts" of the configuration.`,
		{field: 'thumb_url', bound: 'must not lie in a private network'},
	);
}

/** @throws {RequestError} for a host that is written as a private address */
export function requirePublicHost({hostname}: URL): void {
	const host = plainHost(hostname);
	if (isIP(host) !== 0 && isPrivate(host)) throw refusal(host, host);
}

/**
 * A name resolution that leaves private addresses out. What is connected to is what was checked here: a name that
 * resolves to another address a moment later leads nowhere else.
 */
export function publicOnly(lookup: LookupFunction): LookupFunction {
	return (host, options, callback) => {
		lookup(host, {...options, all: true}, (error, found) => {
			if (error) return callback(error, '');
			const all = found as LookupAddress[];
			const open = all.filter(({address}) => !isPrivate(address));
			const [first] = open;
			if (first === undefined) return callback(refusal(host, all[0]?.address ?? 'no address'), '');
			if (options.all) callback(null, open);
			else callback(null, first.address, first.family);
		});
	};
}

/**
 * Where a proxy resolves the name, no address can be given to it: what this machine knows the name by is checked, and a
 * name that only the proxy knows is the proxy's to judge.
 *
 * @throws {RequestError} for a name of a private address
 */
export function checkBeforeProxy(host: string, lookup: LookupFunction): Promise<void> {
	return new Promise((resolve, reject) => {
		publicOnly(lookup)(host, {all: true}, error => {
			if (error instanceof RequestError) reject(error);
			else resolve();
		});
	});
}
