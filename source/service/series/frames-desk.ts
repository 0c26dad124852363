import type * as z from 'zod';
import type {EpisodeFrame, frameQuery} from '../../contract/local-frames.ts';
import type {EpisodeAsking} from './episode-asking.ts';

/** Answers with pictures of an episode. */
export class FramesDesk {
	readonly #asking: EpisodeAsking;

	constructor(asking: EpisodeAsking) {
		this.#asking = asking;
	}

	/** @throws {HttpProblem} as `EpisodeAsking` does */
	async frame(episodeId: string, frame: z.output<typeof frameQuery>): Promise<EpisodeFrame> {
		const place = await this.#asking.place(episodeId);
		const reply = await this.#asking.ask('frame', place, {frame});
		return {episode_id: place.episode_id, ...reply.frame};
	}
}
