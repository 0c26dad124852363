import {hostname} from 'node:os';
import {OutcomeUnknownError} from '../../client/errors.ts';
import {wait} from '../../client/retry.ts';
import type {Remembered} from './remembered.ts';
import type {OutboxEntry} from './remembered-state.ts';

/** Something to be sent, as it is remembered until it is known what became of it. */
export type NewEntry = Pick<OutboxEntry, 'id' | 'kind' | 'name' | 'request' | 'before' | 'isTrial' | 'draft'>;

/** How something is sent, and how a lost answer is settled. */
export type Ways<Made> = {
	readonly send: () => Promise<Made>;
	/** Reads what was made of it; undefined where nothing was, so far. */
	readonly look: (signal: AbortSignal) => Promise<Made | undefined>;
	/** Remembers what was made: from then on the entry is not remembered any more. */
	readonly note?: (made: Made) => void;
	/** Is told that the answer was lost, as the looking begins. */
	readonly lost?: (reason: string) => void;
};

export type Outcome<Made> =
	| {readonly kind: 'made'; readonly made: Made; readonly isAnswered: boolean}
	/** The service refused it, or it was not sent at all. */
	| {readonly kind: 'refused'; readonly error: unknown}
	/** It was sent so long ago that it is not made any more. */
	| {readonly kind: 'absent'}
	/** It is not there so far, or nothing could be read; it stays remembered. */
	| {readonly kind: 'unknown'; readonly reason: string}
	/** The program ends; the next run settles it. */
	| {readonly kind: 'left'};

/** After so long no service is still at a request: a call waits for its answer for 90 s. */
const surelyOverMs = 120_000;

type OutboxOptions = {
	readonly remembered: Remembered;
	readonly signal: AbortSignal;
	/** @default those of {@link lookFor} */
	readonly pauses?: readonly number[];
	/** Milliseconds since 1970. @default the clock's */
	readonly now?: () => number;
};

/**
 * Requests that are sent once and never again by themselves. Each is on the disk before it is sent, and stays there until its
 * outcome is known, so that the next run settles what this one cannot.
 */
export class Outbox {
	readonly #options: Required<OutboxOptions>;
	/** Those that this run is at. */
	readonly #own = new Set<string>();

	constructor(options: OutboxOptions) {
		this.#options = {pauses: lookPauses, now: Date.now, ...options};
	}

	/** Those that this run has sent and not settled, as people call what they make. */
	get underWay(): readonly string[] {
		return this.#known()
			.filter(({id}) => this.#own.has(id))
			.map(({name}) => name);
	}

	/** Those that an earlier run has left, oldest first. */
	left(): readonly OutboxEntry[] {
		return this.#known().filter(entry => !this.#own.has(entry.id) && !isAtWork(entry));
	}

	/** Sends something, once. */
	async send<Made>(entry: NewEntry, ways: Ways<Made>): Promise<Outcome<Made>> {
		const {remembered, now} = this.#options;
		this.#own.add(entry.id);
		const by = {host: hostname(), pid: process.pid};
		const problem = await remembered.sent({...entry, at: now(), by});
		if (problem !== undefined) {
			this.drop(entry.id);
			const why = `Nothing was sent: a request is written to disk first, so that a lost answer can be settled. ${problem}`;
			return {kind: 'refused', error: new Error(why)};
		}
		try {
			return this.#made(entry.id, await ways.send(), ways, true);
		} catch (error) {
			if (error instanceof OutcomeUnknownError) return this.settle(entry.id, ways, error.message);
			this.drop(entry.id);
			return {kind: 'refused', error};
		}
	}

	/** Reads what became of something whose answer was lost. @param isPatient until it is there, or will not come any more */
	async settle<Made>(
		id: string,
		ways: Omit<Ways<Made>, 'send'>,
		reason: string,
		{isPatient = false}: {readonly isPatient?: boolean} = {},
	): Promise<Outcome<Made>> {
		const {signal, pauses, now} = this.#options;
		this.#own.add(id);
		ways.lost?.(reason);
		const at = this.#known().find(entry => entry.id === id)?.at ?? 0;
		const isOver = () => now() - at > surelyOverMs;
		const found = await lookFor({look: ways.look, signal, isOver, isPatient, pauses});
		switch (found.kind) {
			case 'made':
				return this.#made(id, found.made, ways, false);
			case 'left':
				return found;
			case 'absent':
				if (isOver()) {
					this.drop(id);
					return found;
				}
				return {kind: 'unknown', reason};
			case 'unread':
				return {kind: 'unknown', reason};
		}
	}

	/** True while its outcome is unknown. */
	isOpen(id: string): boolean {
		return this.#known().some(entry => entry.id === id);
	}

	/** It is settled, or given up. */
	drop(id: string): void {
		this.#own.delete(id);
		this.#options.remembered.orderSettled(id);
	}

	#known(): readonly OutboxEntry[] {
		return this.#options.remembered.state.getState().orders;
	}

	#made<Made>(id: string, made: Made, {note}: Pick<Ways<Made>, 'note'>, isAnswered: boolean): Outcome<Made> {
		note?.(made);
		this.drop(id);
		return {kind: 'made', made, isAnswered};
	}
}

/** True if the program that sent it still runs, as far as can be told from here. */
function isAtWork({by: {host, pid}}: OutboxEntry): boolean {
	if (host !== hostname() || pid === process.pid) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** The result of a search for something that was sent and not answered. */
type Found<Made> =
	| {readonly kind: 'made'; readonly made: Made}
	/** The service was read, and does not have it. */
	| {readonly kind: 'absent'}
	/** Nothing could be read. */
	| {readonly kind: 'unread'}
	/** The program ends. */
	| {readonly kind: 'left'};

type LookOptions<Made> = {
	/** Reads whether it is there. */
	readonly look: (signal: AbortSignal) => Promise<Made | undefined>;
	readonly signal: AbortSignal;
	/** True if an entry that is not there now will not come any more. @default it may */
	readonly isOver?: () => boolean;
	/** Goes on until it is there, or will not come any more. @default false */
	readonly isPatient?: boolean;
	/** Between two looks, in milliseconds. */
	readonly pauses?: readonly number[];
};

/** A list that is put together now and then has it late. */
const lookPauses = [0, 300, 1000, 2000, 4000, 8000] as const;

/** Between two looks of who is patient. */
const patiencePauseMs = 15_000;

/** Reads, for a while, until what was sent is there. */
export async function lookFor<Made>({
	look,
	signal,
	isOver = () => false,
	isPatient = false,
	pauses = lookPauses,
}: LookOptions<Made>): Promise<Found<Made>> {
	let wasRead = false;
	for (let at = 0; at < pauses.length || isPatient; at++) {
		try {
			await wait(pauses[at] ?? patiencePauseMs, signal);
			const made = await look(signal);
			wasRead = true;
			if (made !== undefined) return {kind: 'made', made};
			if (isOver()) return {kind: 'absent'};
		} catch {
			if (signal.aborted) return {kind: 'left'};
			// The service is away: the next look may find it.
		}
	}
	return {kind: wasRead ? 'absent' : 'unread'};
}
