import {endpoints} from '../../contract/endpoints.ts';
import {type Caller, callerOf} from '../access/caller.ts';
import type {EventHub} from '../events/event-hub.ts';
import {beginning, eventStream, pour} from '../events/event-stream.ts';
import type {Activity} from '../host/activity.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {Reply} from '../http/reply.ts';
import {type Route, route} from '../http/route.ts';

/** How many may read events at once: callers on this machine, callers on others, and of those with one key. */
const most = {own: 256, network: 256, key: 64} as const;

/** Gives each caller its share of readers, so that no key on another machine leaves none to this machine's people. */
class Readers {
	#own = 0;
	readonly #network = new Map<string, number>();

	/**
	 * @param caller undefined for this machine's own people
	 * @throws {HttpProblem} 503 where its share is taken
	 * @returns what gives the place back
	 */
	take(caller: Caller | undefined): () => void {
		if (caller === undefined) {
			if (this.#own >= most.own) throw tooMany(`${most.own} clients on this machine read events already`);
			this.#own++;
			return () => {
				this.#own--;
			};
		}
		const {key} = caller;
		const ofKey = this.#network.get(key) ?? 0;
		if (ofKey >= most.key) throw tooMany(`${most.key} clients with this key read events already`);
		const all = [...this.#network.values()].reduce((sum, each) => sum + each, 0);
		if (all >= most.network) throw tooMany(`${most.network} clients on other machines read events already`);
		this.#network.set(key, ofKey + 1);
		return () => {
			const left = (this.#network.get(key) ?? 1) - 1;
			if (left === 0) this.#network.delete(key);
			else this.#network.set(key, left);
		};
	}
}

function tooMany(reason: string): HttpProblem {
	const detail = `${reason}, the most that this service serves. Poll instead, or try again later.`;
	return new HttpProblem(503, detail, {'retry-after': '30'});
}

const headers = {
	'content-type': 'text/event-stream',
	'cache-control': 'no-store',
	// A proxy that gathers what it passes on would hold hints back until they are of no use.
	'x-accel-buffering': 'no',
};

/** Section 4.18: the account's pipeline events, as server-sent events. A reader counts as a client of the service. */
export function eventRoutes({
	hub,
	activity,
	ending,
}: {
	hub: EventHub;
	activity: Activity;
	/** Aborted when the service ends. */
	ending: AbortSignal;
}): readonly Route[] {
	const readers = new Readers();
	return [
		route(endpoints.events, (_, asked) => {
			const {incoming} = asked;
			if (ending.aborted) throw new HttpProblem(503, 'This service is ending: come back to the next one.');
			const {'last-event-id': seen} = incoming.headers;
			const from = beginning(hub, typeof seen === 'string' ? seen : undefined);
			// Taken now, not when the answer begins: of requests sent in one go, each would find the place free.
			if (incoming.method !== 'HEAD' && !incoming.socket.closed)
				incoming.socket.once('close', readers.take(callerOf(asked)));
			const begin = () => activity.begin('client');
			return new Reply(200, headers, outgoing => {
				const drop = () => outgoing.destroy();
				void pour(eventStream({hub, from, drop, signal: ending, begin}), outgoing);
			});
		}),
	];
}
