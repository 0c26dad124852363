import {wait} from '../../client/retry.ts';

/** What reading showed of something that was sent and not answered. */
export type Found<Made> =
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
	/** Whether what is not there now will not come any more. @default it may */
	readonly isOver?: () => boolean;
	/** Goes on until it is there, or will not come any more. @default false */
	readonly isPatient?: boolean;
	/** Between two looks, in milliseconds. */
	readonly pauses?: readonly number[];
};

/** A list that is put together now and then has it late. */
export const lookPauses = [0, 300, 1000, 2000, 4000, 8000] as const;

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
