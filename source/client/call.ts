import type * as z from 'zod';
import type {Endpoint} from '../contract/endpoints.ts';
import {exactJson} from '../contract/json-text.ts';
import {interpreted, jsonPath} from '../contract/tolerance.ts';
import {requireConfidential, type ServiceAddress} from './address.ts';
import {type Answer, type AnswerContext, failedAnswer, readAnswer, unreadableAnswer} from './answer.ts';
import {UnreadableBodyError} from './body.ts';
import {boundSentence} from './bound-sentence.ts';
import type {Clock} from './clock.ts';
import {NetworkError, RedirectError, RequestError, ServiceError, unknownOutcome} from './errors.ts';
import {mayPass} from './failure-sentence.ts';
import {type HoldOff, heldOff} from './hold-off.ts';
import type {KeyCover} from './key-cover.ts';
import type {CallOptions, Timeouts} from './options.ts';
import {takesAccount} from './raw-call.ts';
import {nextDelayMs, passingStatuses, type RetryPolicy, wait} from './retry.ts';
import type {Progress, Transport, WireRequest} from './transport.ts';

type Part<E, Name extends string> = E extends {readonly [N in Name]: infer Schema extends z.ZodType}
	? {readonly [N in Name]: z.input<Schema>}
	: {readonly [N in Name]?: undefined};

/** The input of a call of one endpoint: its path parameters, query and body, as far as it has them. */
type CallInput<E extends Endpoint> = Part<E, 'parameters'> &
	(E extends {readonly query: infer Schema extends z.ZodType}
		? {readonly query?: z.input<Schema>}
		: unknown) &
	Part<E, 'body'>;

/** The type of an endpoint's success answer. */
type CallOutput<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : never;

export type Caller = <const E extends Endpoint>(
	endpoint: E,
	input: CallInput<E>,
	options?: CallOptions,
) => Promise<Answer<CallOutput<E>>>;

type CallerOptions = {
	readonly transport: Transport;
	readonly address: ServiceAddress;
	readonly key: string | undefined;
	readonly keyHelp: string;
	readonly cover: KeyCover;
	readonly accountId: string | undefined;
	readonly timeouts: Timeouts;
	readonly retry: RetryPolicy;
	readonly holdOff: HoldOff;
	readonly clock: Clock;
};

const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`;

/** Checks one part of a request against its schema. What is sent is what was given, without the defaults. */
function check(endpoint: Endpoint, schema: z.ZodType | undefined, value: unknown): void {
	if (!schema) return;
	const read = schema.safeParse(value, interpreted);
	const issue = read.success ? undefined : read.error.issues[0];
	if (!issue) return;
	const field = jsonPath(issue.path) || 'the request';
	const bound = boundSentence(issue);
	throw new RequestError(`${nameOf(endpoint)} was not sent: ${field} ${bound}.`, {field, bound});
}

function fillPath(path: string, parameters: Record<string, unknown>): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = String(parameters[name]);
		if (value === '' || value === '.' || value === '..') {
			const bound = `must not be "${value}"`;
			throw new RequestError(`${path} was not called: ${name} ${bound}.`, {field: name, bound});
		}
		return encodeURIComponent(value);
	});
}

function queryString(query: Record<string, unknown>): string {
	const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
	if (given.length === 0) return '';
	return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

/** No clear answer came to a call that may have been carried out. */
function isAmbiguous(error: unknown, {sent}: Progress): boolean {
	if (!sent) return false;
	if (error instanceof ServiceError) {
		// A gateway answers these when it lost sight of the service; with a `detail` the service itself said no.
		return [502, 503, 504].includes(error.status) && error.detail === undefined;
	}
	return !(error instanceof RedirectError);
}

/** The one way any endpoint is called: checked, sent, repeated where that is harmless, read. */
export function createCaller(options: CallerOptions): Caller {
	const {transport, address, key, accountId, timeouts, retry, holdOff, clock} = options;

	function compose(
		endpoint: Endpoint,
		input: {parameters?: unknown; query?: unknown; body?: unknown},
	): WireRequest {
		const account = accountId !== undefined && takesAccount(endpoint) ? {account_id: accountId} : {};
		const query = {...account, ...(input.query as Record<string, unknown> | undefined)};
		check(endpoint, endpoint.parameters, input.parameters);
		check(endpoint, endpoint.query, query);
		check(endpoint, endpoint.body, input.body);
		const path = fillPath(endpoint.path, (input.parameters ?? {}) as Record<string, unknown>);
		return {
			method: endpoint.method,
			path: path + queryString(query),
			body: input.body === undefined ? undefined : exactJson(input.body),
			fresh: !endpoint.repeatable,
		};
	}

	async function tryOnce(
		context: AnswerContext,
		schema: z.ZodType,
		request: WireRequest,
		progress: Progress,
		signal: AbortSignal,
	): Promise<Answer<unknown>> {
		try {
			const answer = await transport.send(request, progress, signal);
			if (answer.status < 200 || answer.status > 299) throw failedAnswer(context, answer);
			const at = Date.parse(answer.header('date') ?? '');
			return {...readAnswer(context, answer, schema), at: Number.isNaN(at) ? undefined : at};
		} catch (error) {
			throw error instanceof UnreadableBodyError ? unreadableAnswer(context, error) : error;
		}
	}

	/** The pause before another try of a repeatable call; undefined if there is none. */
	function delayAfter(error: unknown, failures: number): number | undefined {
		if (error instanceof NetworkError && mayPass(error.code)) return nextDelayMs(retry, {failures});
		if (error instanceof ServiceError && passingStatuses.has(error.status)) {
			return nextDelayMs(retry, {failures, retryAfter: error.retryAfterSeconds});
		}
		return undefined;
	}

	async function callWithin(
		endpoint: Endpoint,
		request: WireRequest,
		schema: z.ZodType,
		signal: AbortSignal,
	): Promise<Answer<unknown>> {
		const {shown, origin} = address;
		const {cover, keyHelp} = options;
		const context: AnswerContext = {endpoint, shown, origin, hasKey: key !== undefined, keyHelp, cover};
		for (let failures = 0; ; ) {
			await waitItsTurn(endpoint, signal);
			const progress: Progress = {sent: false};
			try {
				return await tryOnce(context, schema, request, progress, signal);
			} catch (error) {
				holdOff.note(endpoint, error);
				if (!endpoint.repeatable)
					throw isAmbiguous(error, progress) ? unknownOutcome(nameOf(endpoint), error) : error;
				failures++;
				const delay = signal.aborted ? undefined : delayAfter(error, failures);
				if (delay === undefined) throw error;
				await wait(delay, signal, clock);
			}
		}
	}

	/** No call is sent earlier than the service asked for; a long wait is reported instead. */
	async function waitItsTurn(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
		for (let held = holdOff.of(endpoint); held !== undefined; held = holdOff.of(endpoint)) {
			if (!endpoint.repeatable || held.ms > retry.maxDelayMs) throw heldOff(endpoint, held, address.shown);
			await wait(held.ms, signal, clock);
		}
	}

	return async <const E extends Endpoint>(endpoint: E, input: CallInput<E>, {signal}: CallOptions = {}) => {
		const {response} = endpoint;
		if (response === 'eventStream')
			throw new TypeError(`${nameOf(endpoint)} answers with a stream of events`);
		signal?.throwIfAborted();
		requireConfidential(address, key);
		const request = compose(endpoint, input);
		const deadline = new AbortController();
		const timer = setTimeout(() => {
			const sentence = `${address.shown} gave no complete answer within ${timeouts.overall / 1000} s.`;
			deadline.abort(new NetworkError(sentence, {code: 'OVERALL_TIMEOUT'}));
		}, timeouts.overall);
		try {
			const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
			return (await callWithin(endpoint, request, response, either)) as Answer<CallOutput<E>>;
		} finally {
			clearTimeout(timer);
		}
	};
}
