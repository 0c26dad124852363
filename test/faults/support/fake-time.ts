import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {setImmediate as turn} from 'node:timers/promises';
import {vi} from 'vitest';

/** Requests of the program that are on their way, streams of events apart: those have no end. */
function countRequests(): {underWay: () => number; stop: () => void} {
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
		underWay: () => open.size,
		stop: () => {
			for (const [name, listener] of channels) unsubscribe(name, listener);
		},
	};
}

/** Timers and the date in the test's hands, while requests and answers take the time that they take. */
export type FakeTime = {
	/** Goes on for so long, from one timer to the next; what a timer sends is answered before the next one runs. */
	pass(ms: number): Promise<void>;
	end(): void;
};

/** Begins now: what waits already waits by the machine's time. */
export function fakeTime(): FakeTime {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date']});
	const requests = countRequests();
	async function settle(): Promise<void> {
		// An answer that has come is read, and what it leads to is sent, within a few turns.
		for (let still = 0; still < 8; still = requests.underWay() === 0 ? still + 1 : 0) await turn();
	}
	return {
		async pass(ms) {
			const end = Date.now() + ms;
			await settle();
			while (Date.now() < end && vi.getTimerCount() > 0) {
				vi.advanceTimersToNextTimer();
				await settle();
			}
		},
		end() {
			requests.stop();
			vi.useRealTimers();
		},
	};
}
