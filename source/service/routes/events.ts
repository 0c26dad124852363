import {endpoints} from '../../contract/endpoints.ts';
import type {EventHub} from '../events/event-hub.ts';
import {beginning, eventStream} from '../events/event-stream.ts';
import {HttpProblem} from '../http/http-problem.ts';
import {pour} from '../http/pour.ts';
import {Reply} from '../http/reply.ts';
import {type Route, route} from '../http/route.ts';
import type {Activity} from '../process/activity.ts';

/** How many may read events at once. */
const maxReaders = 256;

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
	return [
		route(endpoints.events, (_, {incoming}) => {
			if (ending.aborted) throw new HttpProblem(503, 'This service is ending: come back to the next one.');
			if (incoming.method !== 'HEAD' && hub.listeners >= maxReaders) {
				const detail = `${maxReaders} clients read events already, the most that one service serves. Poll instead, or try again later.`;
				throw new HttpProblem(503, detail, {'retry-after': '30'});
			}
			const {'last-event-id': seen} = incoming.headers;
			const from = beginning(hub, typeof seen === 'string' ? seen : undefined);
			const begin = () => activity.begin('client');
			return new Reply(200, headers, outgoing => {
				const drop = () => outgoing.destroy();
				void pour(eventStream({hub, from, drop, signal: ending, begin}), outgoing);
			});
		}),
	];
}
