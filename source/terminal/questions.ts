import type {ReplyEvent} from './input-event.ts';

/** Something to be asked of the terminal. */
export type Round = {
	/** The sequences that ask. */
	readonly text: string;
	/** Takes each reply that comes while this is asked. */
	hear(reply: ReplyEvent): void;
	/** Called once, when all is told or the time is over. */
	over(ending: RoundEnding): void;
};

export type RoundEnding = {
	/** The terminal has said all that it has to say. */
	readonly isAnswered: boolean;
	/** From the question to the first reply, or to the end without one. */
	readonly milliseconds: number;
};

/** The questions to the terminal, one round after the other, each waited for no longer than a bound. */
export type Questions = {
	/** Asks once what was asked before is over; of a terminal that never answered nothing is asked again. */
	ask(round: Round): void;
	/** Takes a reply; one that comes too late means nothing any more. */
	hear(reply: ReplyEvent): void;
	/** Settles when no reply is to be expected any more; after so many milliseconds none is waited for. */
	settled(milliseconds: number): Promise<void>;
	/** Replies may still come: read by another program, they would be text. */
	readonly isOpen: boolean;
};

/** Every terminal answers to this, after what it has to say to those before it. */
const deviceAttributes = '\u001b[c';

const isEnd = ({kind, data}: ReplyEvent) => kind === 'device-attributes' && data.startsWith('?');

type OpenRound = {
	readonly round: Round;
	readonly askedAt: number;
	readonly timer: NodeJS.Timeout;
	firstAfter?: number;
};

/**
 * @param options.send takes bytes to the terminal.
 * @param options.withinMs a terminal that has said nothing by then has nothing to say.
 */
export function createQuestions({
	send,
	withinMs,
}: {
	send: (bytes: string) => void;
	withinMs: number;
}): Questions {
	let open: OpenRound | undefined;
	let waiting: Round[] = [];
	let isSilent = false;
	let settle: (() => void) | undefined;

	function begin(round: Round): void {
		open = {round, askedAt: performance.now(), timer: setTimeout(fallSilent, withinMs)};
		send(round.text + deviceAttributes);
	}

	function fallSilent(): void {
		isSilent = true;
		close(false);
	}

	function close(isAnswered: boolean): void {
		if (open === undefined) return;
		const {round, askedAt, timer, firstAfter = performance.now() - askedAt} = open;
		clearTimeout(timer);
		open = undefined;
		round.over({isAnswered, milliseconds: firstAfter});
		const next = waiting.shift();
		if (next === undefined) settle?.();
		else if (isSilent) refuse([next, ...waiting.splice(0)]);
		else begin(next);
	}

	function refuse(rounds: readonly Round[]): void {
		for (const round of rounds) round.over({isAnswered: false, milliseconds: 0});
		settle?.();
	}

	return {
		ask(round) {
			if (isSilent) refuse([round]);
			else if (open === undefined) begin(round);
			else waiting.push(round);
		},
		hear(reply) {
			if (open === undefined) {
				// It does answer, only later than it was waited for.
				if (isEnd(reply)) isSilent = false;
				return;
			}
			open.firstAfter ??= performance.now() - open.askedAt;
			open.round.hear(reply);
			if (isEnd(reply)) close(true);
		},
		async settled(milliseconds) {
			if (open === undefined) return;
			const given = waiting;
			waiting = [];
			refuse(given);
			const {promise, resolve} = Promise.withResolvers<void>();
			settle = resolve;
			const late = setTimeout(resolve, milliseconds);
			await promise;
			clearTimeout(late);
			settle = undefined;
			close(false);
		},
		get isOpen() {
			return open !== undefined;
		},
	};
}
