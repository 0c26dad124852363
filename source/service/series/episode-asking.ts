import {Refusal} from '../host/refusal.ts';
import type {EpisodePlace, LakeEngine} from '../lake/engine.ts';
import type {SeriesReply, Wanted} from './series-messages.ts';
import {SeriesCrash, type SeriesWorker} from './series-worker.ts';

/** Requests that may wait: a reader that comes when there are so many is told so. */
const mostWaiting = 16;

const kinds = {gone: 'absent', changed: 'conflict', unreadable: 'conflict', channel: 'invalid'} as const;

type AskingOptions = {
	readonly lake: Pick<LakeEngine, 'place'>;
	readonly worker: SeriesWorker;
	/** A folder of the worker's own. */
	readonly scratch: string;
	/** The noun for sentences: `series`. */
	readonly noun: string;
};

/** Asks a reading process about an episode, and says what went wrong there as an answer to a request. */
export class EpisodeAsking {
	readonly #options: AskingOptions;

	constructor(options: AskingOptions) {
		this.#options = options;
	}

	/** @throws {Refusal} `absent` where there is no such episode */
	async place(episodeId: string): Promise<EpisodePlace> {
		const place = await this.#options.lake.place(episodeId);
		if (!place) throw new Refusal('absent', `There is no episode ${episodeId} in this lake.`);
		return place;
	}

	/**
	 * @throws {Refusal} `absent`, `conflict` or `invalid` where there is none, `unavailable` where too many are asked for at once, `failed` where the
	 * process ended without an answer
	 */
	async ask<Type extends 'series' | 'frame'>(
		type: Type,
		{folder, episode_index, revision}: EpisodePlace,
		wanted: Wanted,
	): Promise<Extract<SeriesReply, {type: Type}>> {
		const {worker, scratch, noun} = this.#options;
		if (worker.waiting >= mostWaiting) {
			throw new Refusal('unavailable', `Too many ${noun} are being read: ask again in a moment.`, 1);
		}
		try {
			const reply = await worker.ask({folder, episode_index, revision, scratch, ...wanted});
			if (reply.type === 'refused') throw refusalProblem(reply.reason, reply.message);
			if (isOfType(reply, type)) return reply;
			throw new SeriesCrash(`The process that reads ${noun} answered something else.`);
		} catch (error) {
			if (!(error instanceof SeriesCrash)) throw error;
			throw new Refusal('failed', `${error.message} It was reading ${noun} of ${folder}.`);
		}
	}
}

function isOfType<Type extends SeriesReply['type']>(
	reply: SeriesReply,
	type: Type,
): reply is Extract<SeriesReply, {type: Type}> {
	return reply.type === type;
}

/** Turns a refusal of the reading process into one for the caller. */
function refusalProblem(reason: keyof typeof kinds, message: string): Refusal {
	const loc = ['query', 'channels'];
	return new Refusal(
		kinds[reason],
		reason === 'channel' ? [{loc, msg: message, type: 'value_error'}] : message,
	);
}
