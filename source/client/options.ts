import type {LookupFunction} from 'node:net';
import type {Clock} from './clock.ts';
import type {RetryPolicy} from './retry.ts';

/** How long each stage of a call may take, in milliseconds. */
export type Timeouts = {
	readonly connect: number;
	/** From the request to the head of the answer. */
	readonly headers: number;
	/** Between two pieces of the answer's body. */
	readonly body: number;
	/** The whole call, with its repetitions and the waits between them. */
	readonly overall: number;
};

export const defaultTimeouts: Timeouts = {connect: 10_000, headers: 30_000, body: 30_000, overall: 90_000};

/** The largest answer that is read, after inflation. */
export const defaultMaxBodyBytes = 16 * 1024 * 1024;

export type ClientOptions = {
	/** The service's base address; endpoints' paths are appended to it. */
	readonly baseUrl: string;
	/** Sent as `x-api-key`, to this address alone. */
	readonly key?: string | undefined;
	/**
	 * How a key is given, or another one: what is said where the service refuses it.
	 * @default LAKESCOPE_API_KEY is named
	 */
	readonly keyHelp?: string | undefined;
	/** The account that calls act on, where an endpoint takes one. */
	readonly accountId?: string | undefined;
	/**
	 * Send the key over plain http to another machine too.
	 * @default false
	 */
	readonly allowHttp?: boolean | undefined;
	/** Certificates (PEM) to trust besides the system's. NODE_EXTRA_CA_CERTS is honoured by Node itself. */
	readonly extraCertificates?: string | undefined;
	/**
	 * Hosts besides the service's own whose pictures (`thumb_url`) may lie at an address of a private network.
	 * @default none
	 */
	readonly thumbHosts?: readonly string[] | undefined;
	/** Resolves the names of pictures' hosts. @default the machine's */
	readonly lookup?: LookupFunction | undefined;
	/** @default {@link defaultTimeouts} */
	readonly timeouts?: Partial<Timeouts> | undefined;
	/** @default {@link defaultMaxBodyBytes} */
	readonly maxBodyBytes?: number | undefined;
	/** @default {@link defaultRetry} */
	readonly retry?: Partial<RetryPolicy> | undefined;
	/**
	 * By which the waits between tries are kept, and those that the service asks for.
	 * @default the machine's
	 */
	readonly clock?: Clock | undefined;
};

export type CallOptions = {
	/** Aborts the call, which then rejects with the signal's reason. */
	readonly signal?: AbortSignal | undefined;
};
