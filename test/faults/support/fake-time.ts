import {vi} from 'vitest';
import {prepareLocalCalls} from '../../../source/client/dispatcher.ts';
import {requestsUnderWay} from './requests-under-way.ts';

/** Timers and the date in the test's hands, while requests and answers take the time that they take. */
export type FakeTime = {
	/** Goes on for so long, from one timer to the next; what a timer sends is answered before the next one runs. */
	pass(ms: number): Promise<void>;
	end(): void;
};

/** Begins now: what waits already waits by the machine's time. */
export function fakeTime(): FakeTime {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date']});
	const requests = requestsUnderWay();
	return {
		async pass(ms) {
			const end = Date.now() + ms;
			// What the first call loads takes as long as the machine needs: no time passes meanwhile.
			await Promise.all([prepareLocalCalls(), import('../../../source/client/event-parser.ts')]);
			await requests.settled();
			// It is the next timer when the time has come: without it, time would go on to whatever comes later.
			let isOver = false;
			setTimeout(() => {
				isOver = true;
			}, end - Date.now());
			while (!isOver) {
				vi.advanceTimersToNextTimer();
				await requests.settled();
			}
		},
		end() {
			requests.stop();
			vi.useRealTimers();
		},
	};
}
