import type {IncomingMessage} from 'node:http';
import {endpoints} from '../../contract/endpoints.ts';
import {localDistributionEndpoints} from '../../contract/local-distribution.ts';
import {localTriageEndpoints} from '../../contract/local-triage-endpoints.ts';
import {Refusal} from '../host/refusal.ts';
import type {Asked} from '../http/asked.ts';
import type {Route} from '../http/route.ts';
import type {Role} from './keys-file.ts';

/** A caller from another machine, with a key of the keys file. */
export type Caller = {
	readonly name: string;
	/** Tells the key from all others: its hash. */
	readonly key: string;
	readonly role: Role;
};

const callers = new WeakMap<IncomingMessage, Caller>();

/** Keeps the caller of a request for as long as it lasts. */
export function noteCaller(request: IncomingMessage, caller: Caller): void {
	callers.set(request, caller);
}

/** The caller of a request; undefined for this machine's own users. */
export function callerOf({incoming}: Pick<Asked, 'incoming'>): Caller | undefined {
	return callers.get(incoming);
}

/**
 * Limits routes to this machine's own users: those that name files of the machine by their paths, or that end and
 * hold the service's process.
 *
 * @param methods those that are kept; the others are everybody's
 */
export function fromHere(
	routes: readonly Route[],
	methods: readonly Route['method'][] = ['GET', 'POST'],
): readonly Route[] {
	return routes.map(route => {
		if (!methods.includes(route.method)) return route;
		return {
			...route,
			answer: async asked => {
				if (!callerOf(asked)) return route.answer(asked);
				throw new Refusal('forbidden', `${route.path} is for callers on the service's own machine.`);
			},
		};
	});
}

/** Endpoints that read, and use POST only because their query is long. */
const questions: ReadonlySet<string> = new Set([
	endpoints.explore.path,
	endpoints.validateHyperparameters.path,
	localTriageEndpoints.localExplore.path,
	localDistributionEndpoints.histogram.path,
]);

/** True for a request that changes nothing. */
export function isReading({method, path}: {readonly method: string; readonly path: string}): boolean {
	return method === 'GET' || method === 'HEAD' || questions.has(path);
}

function refusal({name, role}: Caller, {method, path}: Route): Refusal | undefined {
	if (role === 'full' || isReading({method, path})) return undefined;
	const isReview = path === localTriageEndpoints.setReviews.path;
	if (role === 'review' && isReview) return undefined;
	const allowed = role === 'review' ? 'read and mark episodes' : 'read';
	return new Refusal(
		'forbidden',
		`The key of ${JSON.stringify(name)} has the role ${role}: it may ${allowed}, and nothing else. Ask the person who keeps the service's keys file for the role ${isReview ? 'review' : 'full'}.`,
	);
}

/** Ends an idle service, which changes nothing of its lake. */
const retirePath = '/local/v1/retire';

/** Refuses whatever would change a lake that can only be read. */
export function readingOnly(routes: readonly Route[], sentence: string): readonly Route[] {
	return routes.map(route => {
		if (isReading(route) || route.path === retirePath) return route;
		return {
			...route,
			answer: () => Promise.reject(new Refusal('conflict', sentence)),
		};
	});
}

/** Keeps each caller to the role that their key has. */
export function withinRoles(routes: readonly Route[]): readonly Route[] {
	return routes.map(route => ({
		...route,
		answer: async asked => {
			const caller = callerOf(asked);
			const problem = caller && refusal(caller, route);
			if (problem) throw problem;
			return route.answer(asked);
		},
	}));
}
