import type {z} from 'zod';
import {type Endpoint, isAboutOneThing, notShown} from '../contract/endpoints.ts';
import {errorResponse, validationErrorResponse} from '../contract/errors.ts';
import {readTolerantly, type SetAside} from '../contract/tolerance.ts';
import type {UnreadableBodyError} from './body.ts';
import {ContractError, RedirectError, type Refusal, RefusedError, ServiceError} from './errors.ts';
import {parseJson} from './json.ts';
import type {KeyCover} from './key-cover.ts';
import {retryAfterSeconds} from './retry.ts';
import type {WireAnswer} from './transport.ts';

/** A successful answer, read as the interface document says. */
export type Answer<T> = {
	readonly data: T;
	/** Elements of its lists that broke the contract and were left out of `data`. */
	readonly setAside: readonly SetAside[];
	/** When the service answered, by its own clock, in milliseconds since 1970; undefined where it does not say. */
	readonly at?: number | undefined;
};

/** The facts that sentences about an answer need. */
export type AnswerContext = {
	readonly endpoint: Endpoint;
	/** How the service is named. */
	readonly shown: string;
	readonly origin: string;
	/** True if a key was sent. */
	readonly hasKey: boolean;
	/** How a key is given, or another one. */
	readonly keyHelp: string;
	/** Strikes that key out of whatever the service echoes. */
	readonly cover: KeyCover;
};

const wholeBody = '(the whole body)';
const longestDetail = 600;

const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`;

const clip = (text: string) => (text.length > longestDetail ? `${text.slice(0, longestDetail)}…` : text);

function kindOf({header, text}: WireAnswer): string {
	const type = header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
	if (type.includes('html') || /^\s*<(?:!doctype|html)/i.test(text)) return 'HTML';
	if (text.trim() === '') return 'nothing';
	return type && !isJson(type) ? type.slice(0, 60) : 'text that is not JSON';
}

const isJson = (type: string) => /^application\/(?:[\w.-]+\+)?json$/.test(type);

/** An answer in which nothing shows the key any more, before a piece of it is cut out for a sentence. */
function covered({header, ...answer}: WireAnswer, {text}: KeyCover): WireAnswer {
	return {
		...answer,
		statusText: text(answer.statusText),
		header: name => {
			const value = header(name);
			return value === undefined ? undefined : text(value);
		},
	};
}

/** An answer whose body was too large to read, or coded in an unknown way. */
export function unreadableAnswer(
	context: AnswerContext,
	{expected, ...error}: UnreadableBodyError,
): ContractError {
	const found = context.cover.text(error.found);
	const breach = {path: wholeBody, expected, found};
	const sentence = `${context.shown} answered ${nameOf(context.endpoint)} with a body that cannot be read: expected ${expected}, found ${found}.`;
	return new ContractError(sentence, nameOf(context.endpoint), [breach]);
}

function redirected({endpoint, shown, origin}: AnswerContext, {status, header}: WireAnswer): RedirectError {
	const location = header('location');
	const target =
		location !== undefined && URL.canParse(location, origin)
			? new URL(location, origin).origin
			: 'an address that cannot be read';
	const sentence = `${shown} answered ${nameOf(endpoint)} with a redirect (${status}) to ${target}. Redirects are not followed, since the key would go there: if that is the service, use its address instead.`;
	const breach = {path: wholeBody, expected: 'an answer', found: `a redirect to ${target}`};
	return new RedirectError(sentence, nameOf(endpoint), [breach]);
}

function readRefusal({status, header, text}: WireAnswer): Refusal {
	const retryAfter = retryAfterSeconds(header('retry-after'));
	let body: unknown;
	try {
		body = parseJson(text);
	} catch {
		return {status, retryAfterSeconds: retryAfter};
	}
	const standard = errorResponse.safeParse(body);
	if (standard.success) return {status, detail: standard.data.detail, retryAfterSeconds: retryAfter};
	const validation = validationErrorResponse.safeParse(body);
	if (validation.success) return {status, issues: validation.data.detail, retryAfterSeconds: retryAfter};
	return {status, retryAfterSeconds: retryAfter};
}

function saidBy({detail, issues}: Refusal, answer: WireAnswer): string {
	if (detail !== undefined) return clip(detail);
	if (issues && issues.length > 0) {
		const first = issues.slice(0, 3).map(({loc, msg}) => `${loc.join('.')}: ${msg}`);
		const more = issues.length - first.length;
		return clip(first.join('; ')) + (more > 0 ? `; and ${more} more` : '');
	}
	return `${answer.statusText || 'no reason'}, with ${kindOf(answer)} as its body`;
}

/** The answers of any web server to paths and methods that it does not know. */
const wrongPlace: ReadonlySet<number> = new Set([404, 405, 501]);

/** True if an answer looks like one of a server that has no such path: no reason of its own, or none but the status. */
function isStrange(endpoint: Endpoint, {status, detail, issues}: Refusal, statusText: string): boolean {
	if (!wrongPlace.has(status) || issues !== undefined) return false;
	if (detail === undefined) return true;
	return detail.toLowerCase() === statusText.toLowerCase() && !isAboutOneThing(endpoint);
}

/** The error that an answer with an error status, or a redirect, stands for. */
export function failedAnswer(context: AnswerContext, given: WireAnswer): ServiceError | ContractError {
	const {shown, cover} = context;
	const answer = covered({...given, text: cover.text(given.text)}, cover);
	if (answer.status < 400) return redirected(context, answer);
	const refusal = readRefusal(answer);
	const {status} = refusal;
	const said = saidBy(refusal, answer);
	const aboutKey = refusal.issues?.some(({loc}) => loc.includes('x-api-key')) ?? false;
	if (status === 401 || status === 403 || aboutKey) {
		const sentence = context.hasKey
			? `${shown} refused the key (${status}: ${said}). ${context.keyHelp}`
			: `${shown} asks for a key (${status}: ${said}). ${context.keyHelp}`;
		return new RefusedError(sentence, refusal);
	}
	const stop = /[.!?]$/.test(said) ? '' : '.';
	const wait = refusal.retryAfterSeconds ? ` It asks to wait ${Math.ceil(refusal.retryAfterSeconds)} s.` : '';
	const doubt = isStrange(context.endpoint, refusal, answer.statusText)
		? " Is this the service's address?"
		: '';
	return new ServiceError(
		`${shown} answered ${nameOf(context.endpoint)} with ${status}: ${said}${stop}${wait}${doubt}`,
		refusal,
	);
}

/**
 * Reads a success body: JSON alone, tolerantly. Where the document does not show the shape an empty body is fine too.
 *
 * @throws {ContractError} when its envelope is not what the endpoint promises.
 */
export function readAnswer(context: AnswerContext, given: WireAnswer, schema: z.ZodType): Answer<unknown> {
	const {endpoint, shown, cover} = context;
	const answer = covered({...given, text: cover.body(given.text)}, cover);
	if (schema === notShown && answer.text === '') return {data: undefined, setAside: []};
	const type = answer.header('content-type')?.split(';')[0]?.trim().toLowerCase();
	let body: unknown;
	try {
		if (type !== undefined && !isJson(type)) throw new Error(`the content type is ${type}`);
		body = parseJson(answer.text.replace(/^\uFEFF/, ''));
	} catch (error) {
		const found = cover.text(kindOf(answer));
		const why = error instanceof Error ? cover.text(error.message) : '';
		const sentence = `${shown} answered ${nameOf(endpoint)} with ${found} where JSON was expected (${clip(why)}): is this the service's address?`;
		throw new ContractError(sentence, nameOf(endpoint), [{path: wholeBody, expected: 'JSON', found}]);
	}
	const read = readTolerantly(schema, body);
	if (read.ok) return {data: read.data, setAside: read.setAside};
	const breaches = read.breaches.map(breach => ({...breach, found: cover.text(breach.found)}));
	const [first = {path: wholeBody, expected: 'the documented shape', found: 'another'}, ...rest] = breaches;
	const more = rest.length > 0 ? ` (and ${rest.length} more)` : '';
	const sentence = `${shown} answered ${nameOf(endpoint)} in breach of the interface: ${first.path}: ${first.expected} (found ${first.found})${more}.`;
	throw new ContractError(sentence, nameOf(endpoint), [first, ...rest]);
}
