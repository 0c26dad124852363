import {type FieldProblem, fieldProblem, type ValidationIssue} from '../contract/errors.ts';
import type {Breach} from '../contract/tolerance.ts';

/**
 * The errors of a call. Every message is one sentence or two for people: it names the address and the way out,
 * and never holds the key. An abort by the caller is no failure of a call: it rejects with the signal's own reason.
 */
export class ClientError extends Error {
	override readonly name: string = 'ClientError';
}

/** The service could not be reached, or the connection broke before a whole answer had come. */
export class NetworkError extends ClientError {
	override readonly name = 'NetworkError';
	/** The code of the failure below: `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`, … */
	readonly code: string | undefined;

	constructor(message: string, {code, cause}: {code?: string | undefined; cause?: unknown} = {}) {
		super(message, {cause});
		this.code = code;
	}
}

/** The content of an answer with an error status. */
export type Refusal = {
	readonly status: number;
	/** The standard error's `detail`, where the answer was one. */
	readonly detail?: string | undefined;
	/** The validation error's issues, where the answer was one. */
	readonly issues?: readonly ValidationIssue[] | undefined;
	/** The seconds of the answer's Retry-After. */
	readonly retryAfterSeconds?: number | undefined;
};

/** The service answered with an error status. */
export class ServiceError extends ClientError {
	override readonly name: string = 'ServiceError';
	readonly status: number;
	readonly detail: string | undefined;
	readonly issues: readonly ValidationIssue[] | undefined;
	/** The same, by the fields of the request. */
	readonly problems: readonly FieldProblem[];
	readonly retryAfterSeconds: number | undefined;

	constructor(message: string, {status, detail, issues, retryAfterSeconds}: Refusal) {
		super(message);
		this.status = status;
		this.detail = detail;
		this.issues = issues;
		this.problems = (issues ?? []).map(fieldProblem);
		this.retryAfterSeconds = retryAfterSeconds;
	}
}

/** The service asked to wait, and nothing was sent: `retryAfterSeconds` is what is left of that. */
export class HeldOffError extends ServiceError {}

/** 401 or 403, or a validation error about the key's header: asking again with the same key is no use. */
export class RefusedError extends ServiceError {
	override readonly name = 'RefusedError';
}

/** The service answered with success, but not with what the interface document promises. */
export class ContractError extends ClientError {
	override readonly name: string = 'ContractError';
	/** The endpoint, as the document writes it: `POST /v1/datasets/explore`. */
	readonly endpoint: string;
	/** Where in the answer, as a JSON path without the leading `$.`. */
	readonly path: string;
	readonly expected: string;
	readonly found: string;
	/** Every breach, the first of them above. */
	readonly breaches: readonly Breach[];

	constructor(message: string, endpoint: string, breaches: readonly [Breach, ...Breach[]]) {
		super(message);
		this.endpoint = endpoint;
		this.path = breaches[0].path;
		this.expected = breaches[0].expected;
		this.found = breaches[0].found;
		this.breaches = breaches;
	}
}

/** The answer pointed elsewhere, which is never followed: the key would go along. */
export class RedirectError extends ContractError {
	override readonly name = 'RedirectError';
}

/** A request that breaks a bound, or may not be sent as things are set; nothing was sent. */
export class RequestError extends ClientError {
	override readonly name = 'RequestError';
	/** Where in the request: `limit`, `numeric_predicates[3].value`, `x-api-key`. */
	readonly field: string;
	/** The bound: `must be at most 200`. */
	readonly bound: string;
	readonly problems: readonly FieldProblem[];

	constructor(message: string, {field, bound}: {field: string; bound: string}) {
		super(message);
		this.field = field;
		this.bound = bound;
		this.problems = [{field: field.replaceAll(/\[(\d+)\]/gu, '.$1'), message: bound}];
	}
}

const none: readonly FieldProblem[] = [];

/** The fields that a call was refused for: by the service, or by the contract before it was sent. */
export function fieldProblems(error: unknown): readonly FieldProblem[] {
	return error instanceof ServiceError || error instanceof RequestError ? error.problems : none;
}

/**
 * A call that changes something was sent, and no clear answer came: it may have been done or not. It is never
 * repeated by itself; reading the service's state settles it.
 */
export class OutcomeUnknownError extends ClientError {
	override readonly name = 'OutcomeUnknownError';
	readonly endpoint: string;

	constructor(message: string, endpoint: string, cause: unknown) {
		super(message, {cause});
		this.endpoint = endpoint;
	}
}

/**
 * The failure of a call that changes something, was sent, and got no clear answer.
 *
 * @param name method and path
 */
export function unknownOutcome(name: string, cause: unknown): OutcomeUnknownError {
	const why = cause instanceof Error ? cause.message : 'it was broken off';
	const sentence = `It is unknown whether ${name} was carried out: ${why} It is not sent again automatically; check first.`;
	return new OutcomeUnknownError(sentence, name, cause);
}
