import path from 'node:path';
import type * as z from 'zod';
import type {EpisodeFrame, frameQuery} from '../../contract/local-frames.ts';
import {HttpProblem} from '../http/http-problem.ts';
import type {Lake} from '../lake/lake.ts';
import {refusalProblem} from './series-desk.ts';
import {SeriesCrash, type SeriesWorker} from './series-worker.ts';

/** Requests that may wait: a reader that comes when there are so many is told so. */
const mostWaiting = 16;

/** Answers with pictures of an episode. */
export class FramesDesk {
	readonly #lake: Pick<Lake, 'episodePlace'>;
	readonly #worker: SeriesWorker;
	readonly #scratch: string;

	constructor({
		lake,
		worker,
		lakeFolder,
	}: {lake: Pick<Lake, 'episodePlace'>; worker: SeriesWorker; lakeFolder: string}) {
		this.#lake = lake;
		this.#worker = worker;
		this.#scratch = path.join(lakeFolder, 'staging', 'frames');
	}

	/** @throws {HttpProblem} 404 or 409 where the episode is gone or another, 503 where too many are asked for at once */
	async frame(episodeId: string, frame: z.output<typeof frameQuery>): Promise<EpisodeFrame> {
		const place = await this.#lake.episodePlace(episodeId);
		if (!place) throw new HttpProblem(404, `There is no episode ${episodeId} in this lake.`);
		if (this.#worker.waiting >= mostWaiting) {
			throw new HttpProblem(503, 'Too many pictures are being read: ask again in a moment.', {
				'retry-after': '1',
			});
		}
		const {folder, episode_index, revision} = place;
		const request = {folder, episode_index, revision, width: 1, scratch: this.#scratch, frame};
		try {
			const reply = await this.#worker.ask(request);
			if (reply.type === 'refused') throw refusalProblem(reply.reason, reply.message);
			if (reply.type === 'frame') return {episode_id: place.episode_id, ...reply.frame};
			throw new SeriesCrash('The process that reads pictures answered something else.');
		} catch (error) {
			if (!(error instanceof SeriesCrash)) throw error;
			throw new HttpProblem(500, `${error.message} It was reading a picture of ${folder}.`);
		}
	}
}
