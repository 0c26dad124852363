import type {Dispatcher} from 'undici';

export type DispatcherOptions = {
	/** What is called is on this machine, which no proxy leads to. */
	readonly loopback: boolean;
	/** Certificates (PEM) to trust besides the system's. */
	readonly extraCertificates: string | undefined;
	/** How long a connection may take to come about, in milliseconds. */
	readonly connectMs: number;
	/** Whether connections are kept for the next request. */
	readonly keepAlive: boolean;
};

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Naming certificates replaces Node's own list, which holds those of NODE_EXTRA_CA_CERTS too. */
async function trusted(extraCertificates: string): Promise<string[]> {
	const {getCACertificates} = await import('node:tls');
	return [...getCACertificates('default'), extraCertificates];
}

/** What requests are sent through, past the proxy that the environment names where there is one. */
export async function openDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
	const {loopback, extraCertificates, connectMs: timeout, keepAlive} = options;
	const trust = extraCertificates ? {ca: await trusted(extraCertificates)} : {};
	const bounds = {allowH2: false, pipelining: keepAlive ? 1 : 0};
	if (!loopback && proxyVariables.some(name => process.env[name])) {
		// The whole package: a tunnel is made with methods that its main entry puts together.
		const {EnvHttpProxyAgent} = await import('undici');
		return new EnvHttpProxyAgent({
			...bounds,
			connectTimeout: timeout,
			connect: {timeout, ...trust},
			proxyTls: trust,
			requestTls: trust,
		});
	}
	const {default: Agent} = await import('undici/lib/dispatcher/agent.js');
	return new Agent({...bounds, connect: {timeout, ...trust}});
}
