import {afterEach} from 'vitest';
import {createClient} from '../../../source/client/client.ts';
import {
	type AccountEvent,
	AccountEvents,
	type StreamState,
} from '../../../source/client/events/account-events.ts';
import {ManualClock} from '../../support/manual-clock.ts';

/** The account's events as a listener saw them, with time in the test's hands. */
export type Following = {
	readonly clock: ManualClock;
	readonly events: readonly AccountEvent[];
	readonly states: readonly StreamState[];
	/** How often a gap was told. */
	readonly gaps: number;
	/** How long the stream stayed away each time, in milliseconds. */
	readonly pauses: readonly number[];
	/** The last id of the events seen so far. */
	readonly lastId: string;
	/** The last thing said of why there is no stream. */
	readonly reason: string;
	/** Settles when the following has ended by itself. */
	readonly ended: Promise<void>;
	refetch(): void;
	stop(): void;
};

export type FollowingOptions = {
	readonly key?: string;
	readonly random?: () => number;
	/** Pauses are over at once. @default true */
	readonly hasty?: boolean;
	readonly onEvent?: (event: AccountEvent) => void;
	readonly onGap?: () => void;
	readonly onLive?: () => void;
	/** Told the last id of the events seen so far. */
	readonly onConnecting?: (lastId: string) => void;
};

const open: {stop(): void; close(): Promise<void>}[] = [];

afterEach(async () => {
	for (const each of open.splice(0)) {
		each.stop();
		await each.close();
	}
});

/** Follows the events of a service until the test ends. */
export function follow(baseUrl: string, options: FollowingOptions = {}): Following {
	const {key = 'key-0123456789', random = Math.random, hasty = true} = options;
	const client = createClient({baseUrl, key});
	const clock = new ManualClock();
	const events: AccountEvent[] = [];
	const states: StreamState[] = [];
	const pauses: number[] = [];
	const stopping = new AbortController();
	let gaps = 0;
	let lastId = '';
	let reason = '';
	const followed = new AccountEvents(
		client,
		{
			state(state) {
				states.push(state);
				if (state.phase === 'live') options.onLive?.();
				if (state.phase === 'connecting') options.onConnecting?.(lastId);
				if (!('reason' in state)) return;
				reason = state.reason;
				if (state.until === undefined) return;
				const pause = state.until - clock.now();
				pauses.push(pause);
				if (hasty) setImmediate(() => clock.advance(pause));
			},
			event(event) {
				events.push(event);
				lastId = event.id ?? lastId;
				options.onEvent?.(event);
			},
			gap() {
				gaps++;
				options.onGap?.();
			},
		},
		{clock, random},
	);
	const stop = () => stopping.abort();
	const ended = followed.run(stopping.signal);
	open.push({
		stop,
		close: async () => {
			await ended;
			await client.close();
		},
	});
	return {
		clock,
		events,
		states,
		pauses,
		ended,
		stop,
		refetch: () => followed.refetch(),
		get gaps() {
			return gaps;
		},
		get lastId() {
			return lastId;
		},
		get reason() {
			return reason;
		},
	};
}
