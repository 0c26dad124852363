import type {Timeouts} from './options.ts';

const certificateCodes = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** The code of a network failure, looked for through its causes. */
export function failureCode(error: unknown): string | undefined {
	for (let at = error; at instanceof Error; at = at.cause) {
		if ('code' in at && typeof at.code === 'string') return at.code;
		// undici's parser names only some of what it stumbles over; an answer in pieces that was cut off is among the rest.
		if (at.name === 'HTTPParserError')
			return at.message.includes('Invalid EOF') ? 'HPE_INVALID_EOF_STATE' : 'HPE_UNKNOWN';
	}
	return undefined;
}

const seconds = (ms: number) => `${Number((ms / 1000).toFixed(1))} s`;

/** No connection came about: where a proxy is set, it may be the proxy's that is meant. */
const unconnectedCodes: ReadonlySet<string | undefined> = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'ENETUNREACH',
	'EHOSTUNREACH',
	'UND_ERR_CONNECT_TIMEOUT',
	'ETIMEDOUT',
]);

/**
 * The failure of a request, in one sentence with the way out.
 *
 * @param about.proxied the environment names a proxy.
 */
export function failureSentence(
	code: string | undefined,
	about: {shown: string; timeouts: Timeouts; message: string; proxied?: boolean},
): string {
	const {shown, timeouts, message, proxied = false} = about;
	if (proxied && unconnectedCodes.has(code)) {
		return `${shown} cannot be reached through the proxy (${code}): check HTTPS_PROXY and the network, and name what needs no proxy in NO_PROXY.`;
	}
	switch (code) {
		case 'ECONNREFUSED':
			return `Nothing listens at ${shown}: start the service there, or correct the address.`;
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return `The host name in ${shown} cannot be resolved: check the address and the network.`;
		case 'ENETUNREACH':
		case 'EHOSTUNREACH':
			return `${shown} is unreachable from here: check the network.`;
		case 'UND_ERR_CONNECT_TIMEOUT':
		case 'ETIMEDOUT':
			return `${shown} accepted no connection within ${seconds(timeouts.connect)}: check the address and the network.`;
		case 'UND_ERR_HEADERS_TIMEOUT':
			return `${shown} did not begin to answer within ${seconds(timeouts.headers)}.`;
		case 'UND_ERR_BODY_TIMEOUT':
			return `${shown} paused in the middle of its answer for ${seconds(timeouts.body)}.`;
		case 'ECONNRESET':
		case 'EPIPE':
		case 'UND_ERR_SOCKET':
		case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
		case 'Z_BUF_ERROR':
		case 'HPE_INVALID_EOF_STATE':
			return `${shown} closed the connection before its answer was complete.`;
		case 'EPROTO':
			return `${shown} does not speak TLS: should the address begin with http://?`;
		default:
	}
	if (code?.startsWith('HPE_')) return `The server at ${shown} does not speak HTTP.`;
	if (code?.startsWith('ERR_SSL_')) {
		return `${shown} does not speak TLS as expected (${code}): should the address begin with http://?`;
	}
	if (code?.startsWith('UND_ERR_PRX') || message.includes('Proxy response')) {
		return `The proxy would not connect to ${shown} (${message}): check HTTPS_PROXY and NO_PROXY.`;
	}
	if (code && certificateCodes.test(code)) {
		return `The certificate of ${shown} is not trusted (${code}): name its authority's certificate in NODE_EXTRA_CA_CERTS or as caFile in the configuration.`;
	}
	return `${shown} cannot be reached (${code ?? message}).`;
}

/** True if the same call may succeed a moment later: a certificate or a proxy's refusal does not mend itself. */
export function mayPass(code: string | undefined): boolean {
	if (code === undefined || code === 'HPE_INVALID_EOF_STATE') return true;
	return !(
		certificateCodes.test(code) ||
		code === 'ENOTFOUND' ||
		code === 'EPROTO' ||
		/^(?:ERR_SSL_|UND_ERR_PRX|HPE_)/.test(code)
	);
}
