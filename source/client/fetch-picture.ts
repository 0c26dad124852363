import type {LookupFunction} from 'node:net';
import {readAddress, type ServiceAddress} from './address.ts';
import {mayUseProxy} from './dispatcher.ts';
import {ClientError, RequestError} from './errors.ts';
import type {CallOptions, Timeouts} from './options.ts';
import {checkBeforeProxy, mayBePrivate, publicOnly, requirePublicHost} from './picture-address.ts';
import {createTransport} from './transport.ts';

/** The most bytes of a picture that are read, and how long all of it may take. */
const mostBytes = 4 * 1024 * 1024;
const overallMs = 15_000;

/** The machine's own resolution of names, loaded by the first that asks. */
const machineLookup: LookupFunction = (host, options, callback) => {
	void import('node:dns').then(({lookup}) => lookup(host, options, callback));
};

type PictureFetching = {
	/** Of the service that named the picture: its key goes to its own origin and no other. */
	readonly address: ServiceAddress;
	readonly key: string | undefined;
	readonly timeouts: Timeouts;
	readonly extraCertificates?: string | undefined;
	readonly thumbHosts?: readonly string[] | undefined;
	readonly lookup?: LookupFunction | undefined;
};

/**
 * Reads what lies at an address of the web that a service named: within bounds, past the proxy that the environment
 * names, and following nothing. A host that the service makes up may be this machine or one of its network: those are
 * left alone, but for the service's own host and those that the configuration names.
 *
 * @throws {ClientError}
 */
export async function fetchPicture(
	text: string,
	{address, key, timeouts, extraCertificates, thumbHosts = [], lookup = machineLookup}: PictureFetching,
	{signal}: CallOptions = {},
): Promise<Uint8Array> {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password) {
		const bound = 'must be an address of the web, without a password';
		throw new RequestError(`The picture's address ${bound}, and it is not one.`, {field: 'thumb_url', bound});
	}
	const isOwn = url.origin === address.origin && address.confidential;
	const isTrusted = mayBePrivate(url, address, thumbHosts);
	if (!isTrusted) requirePublicHost(url);
	const target = readAddress(url.origin);
	const transport = createTransport({
		address: target,
		key: isOwn ? key : undefined,
		timeouts,
		extraCertificates,
		maxBodyBytes: mostBytes,
		lookup: isTrusted ? lookup : publicOnly(lookup),
	});
	const late = AbortSignal.timeout(overallMs);
	try {
		const either = signal === undefined ? late : AbortSignal.any([signal, late]);
		if (!isTrusted && mayUseProxy(target)) await checkBeforeProxy(url.hostname, lookup);
		either.throwIfAborted();
		const request = {
			method: 'GET',
			path: url.pathname + url.search,
			headers: {accept: 'image/png, image/jpeg'},
		};
		const answer = await transport.open(request, {sent: false}, either);
		if (answer.status !== 200) {
			await answer.body.return();
			throw new ClientError(`${url.host} answers ${answer.status} instead of a picture.`);
		}
		const parts: Uint8Array[] = [];
		let size = 0;
		for await (const part of answer.body) {
			size += part.length;
			if (size > mostBytes)
				throw new ClientError(`${url.host} gives more than ${mostBytes} bytes for a picture.`);
			parts.push(part);
		}
		return Buffer.concat(parts, size);
	} catch (error) {
		if (late.aborted && !signal?.aborted) {
			throw new ClientError(`${url.host} gave no complete picture within ${overallMs / 1000} s.`);
		}
		throw error;
	} finally {
		await transport.close();
	}
}
