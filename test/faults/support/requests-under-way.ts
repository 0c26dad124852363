import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {setImmediate as turn} from 'node:timers/promises';

/** The requests of this process that are on their way, streams of events apart: those have no end. */
export type RequestsUnderWay = {
	/** Waits until every request was answered, and what the answers led to at once was sent and answered as well. */
	settled(): Promise<void>;
	stop(): void;
};

/** Begins to count. */
export function requestsUnderWay(): RequestsUnderWay {
	const open = new Set<object>();
	type Told = {request: {path: string}};
	const begun = (told: unknown) => {
		const {request} = told as Told;
		if (!request.path.startsWith('/v1/events')) open.add(request);
	};
	const over = (told: unknown) => open.delete((told as Told).request);
	const channels = [
		['undici:request:create', begun],
		['undici:request:trailers', over],
		['undici:request:error', over],
	] as const;
	for (const [name, listener] of channels) subscribe(name, listener);
	return {
		async settled() {
			// An answer that has come is read, and what it leads to is sent, within a few turns.
			for (let still = 0; still < 16; still = open.size === 0 ? still + 1 : 0) await turn();
		},
		stop: () => {
			for (const [name, listener] of channels) unsubscribe(name, listener);
		},
	};
}
