import type {IncomingMessage} from 'node:http';
import type {Asked} from '../http/asked.ts';
import {HttpProblem} from '../http/http-problem.ts';
import type {Route} from '../http/route.ts';

/** One who calls from another machine, with a key of the keys file. */
export type Caller = {
	readonly name: string;
	/** Tells the key from all others: its hash. */
	readonly key: string;
};

const callers = new WeakMap<IncomingMessage, Caller>();

/** Remembers whose request this is, for as long as it lasts. */
export function noteCaller(request: IncomingMessage, caller: Caller): void {
	callers.set(request, caller);
}

/** Whose request is answered; undefined for this machine's own people. */
export function callerOf({incoming}: Pick<Asked, 'incoming'>): Caller | undefined {
	return callers.get(incoming);
}

/**
 * Keeps routes for this machine's own people: those that name files of the machine by their paths, or that end and
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
				throw new HttpProblem(403, `${route.path} is for callers on the service's own machine.`);
			},
		};
	});
}
