import * as z from 'zod';
import {type Endpoint, endpoints} from '../contract/endpoints.ts';
import {localEndpoints} from '../contract/local-endpoints.ts';
import {innerSchema} from '../contract/tolerance.ts';
import {requireConfidential, type ServiceAddress} from './address.ts';
import {NetworkError, RequestError, unknownOutcome} from './errors.ts';
import {type HoldOff, heldOff} from './hold-off.ts';
import type {CallOptions} from './options.ts';
import type {OpenAnswer, Progress, Transport} from './transport.ts';

/** A call that is sent as it is given. */
type RawRequest = {
	readonly method: string;
	/** Path and query, below the service's address. */
	readonly path: string;
	/** JSON unless `headers` say otherwise. */
	readonly body?: Uint8Array | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** How long the answer's body may pause, in milliseconds; 0 for as long as it likes. @default the client's own */
	readonly bodyMs?: number | undefined;
};

export type RawCaller = (request: RawRequest, options?: CallOptions) => Promise<OpenAnswer>;

const all: readonly Endpoint[] = [...Object.values(endpoints), ...Object.values(localEndpoints)];

/** The parts of a path that is written out or holds parameters in braces. */
const partsOf = (path: string) => path.split('/');

/** The endpoint that a written-out path is one of; where two would fit, that with fewer parameters. */
function endpointAt(method: string, path: string): Endpoint | undefined {
	const given = partsOf(path.split('?')[0] ?? '');
	const fits = (endpoint: Endpoint) => {
		const own = partsOf(endpoint.path);
		return (
			endpoint.method === method &&
			own.length === given.length &&
			own.every((part, i) => part === given[i] || (part.startsWith('{') && given[i] !== ''))
		);
	};
	const parameters = ({path: own}: Endpoint) => own.split('{').length;
	return all.filter(fits).toSorted((a, b) => parameters(a) - parameters(b))[0];
}

/** True if an endpoint takes an `account_id`. */
export function takesAccount({query}: Endpoint): boolean {
	const fields = query && innerSchema(query);
	return fields instanceof z.ZodObject && 'account_id' in fields.shape;
}

/** Adds the account that calls act on, where the path is one that takes it and does not name one itself. */
function withAccount({method, path}: RawRequest, accountId: string | undefined): string {
	const endpoint = endpointAt(method, path);
	if (accountId === undefined || !endpoint || !takesAccount(endpoint)) return path;
	const [before, query = ''] = path.split('?', 2);
	const parameters = new URLSearchParams(query);
	if (parameters.has('account_id')) return path;
	return `${before}?${query && `${query}&`}${new URLSearchParams({account_id: accountId})}`;
}

/** Calls anything below a service's address, with its key, unchecked; the answer's body is left to be read. */
export function createRawCaller({
	transport,
	address,
	key,
	accountId,
	holdOff,
}: {
	transport: Transport;
	address: ServiceAddress;
	key: string | undefined;
	accountId: string | undefined;
	holdOff: HoldOff;
}): RawCaller {
	return async (request, {signal} = {}) => {
		const {method, path, body, headers, bodyMs} = request;
		if (!/^\/[\x21-\x7e]*$/.test(path) || path.includes('#')) {
			const bound = 'must begin with "/", with special characters written as %XX';
			throw new RequestError(`${method} ${path} was not sent: the path ${bound}.`, {field: 'path', bound});
		}
		requireConfidential(address, key);
		const endpoint = endpointAt(method, path);
		const held = endpoint && holdOff.of(endpoint);
		if (held) throw heldOff(endpoint, held, address.shown);
		const progress: Progress = {sent: false};
		try {
			return await transport.open(
				{
					method,
					path: withAccount(request, accountId),
					body,
					bodyMs,
					headers: {
						accept: '*/*',
						...(body && {'content-type': 'application/json'}),
						...headers,
					},
				},
				progress,
				signal ?? new AbortController().signal,
			);
		} catch (error) {
			const isHarmless = endpoint?.repeatable ?? ['GET', 'HEAD'].includes(method);
			const isUnknown = !isHarmless && progress.sent && error instanceof NetworkError;
			throw isUnknown ? unknownOutcome(`${method} ${path}`, error) : error;
		}
	};
}
