import type {LookupFunction} from 'node:net';
import type {Dispatcher} from 'undici';
import {RequestError} from './errors.ts';

type DispatcherOptions = {
	/** The address is on this machine, which no proxy leads to. */
	readonly loopback: boolean;
	/** Certificates (PEM) to trust besides the system's. */
	readonly extraCertificates: string | undefined;
	/** How long a connection may take to come about, in milliseconds. */
	readonly connectMs: number;
	/** True if connections are kept for the next request. */
	readonly keepAlive: boolean;
	/** Resolves names, but for those that a proxy does. @default the machine's */
	readonly lookup?: LookupFunction | undefined;
};

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** True if requests go past a proxy, unless NO_PROXY keeps them from it. */
export function mayUseProxy({loopback}: Pick<DispatcherOptions, 'loopback'>): boolean {
	return !loopback && proxyVariables.some(name => process.env[name]);
}

/** A proxy's address is written by hand into the environment, and may hold a password. */
function requireProxyAddresses(): void {
	const wrong = proxyVariables.find(name => {
		const text = process.env[name];
		return text && !(URL.canParse(text) && /^(?:https?|socks5?):$/.test(new URL(text).protocol));
	});
	if (wrong === undefined) return;
	const bound = 'must be a URL such as http://proxy.example.com:3128';
	throw new RequestError(`The proxy's address in ${wrong} ${bound}, and it is not one.`, {
		field: wrong,
		bound,
	});
}

/** Naming certificates replaces Node's own list, which holds those of NODE_EXTRA_CA_CERTS too. */
async function trusted(extraCertificates: string): Promise<string[]> {
	const {getCACertificates} = await import('node:tls');
	return [...getCACertificates('default'), extraCertificates];
}

const loadAgent = () => import('undici/lib/dispatcher/agent.js');

/** Loads the function that sends a request. */
export const loadSending = () => import('undici/lib/api/api-request.js');

/** Loads what the first call to a service of this machine needs: for who has time to spare before it. */
export async function prepareLocalCalls(): Promise<void> {
	await Promise.all([loadAgent(), loadSending()]);
}

/**
 * Opens the connections for requests, through the proxy that the environment names, if any.
 *
 * @throws {RequestError} when the environment names a proxy that can't be one.
 */
export async function openDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
	const {extraCertificates, connectMs: timeout, keepAlive, lookup} = options;
	const trust = extraCertificates ? {ca: await trusted(extraCertificates)} : {};
	const connect = {timeout, ...trust, ...(lookup && {lookup})};
	const bounds = {allowH2: false, pipelining: keepAlive ? 1 : 0};
	if (mayUseProxy(options)) {
		requireProxyAddresses();
		// The whole package: a tunnel is made with methods that its main entry puts together. Of a CommonJS package the
		// bundle knows no names but the default.
		const {default: undici} = await import('undici');
		return new undici.EnvHttpProxyAgent({
			...bounds,
			connectTimeout: timeout,
			connect,
			proxyTls: trust,
			requestTls: trust,
		});
	}
	const {default: Agent} = await loadAgent();
	return new Agent({...bounds, connect});
}
