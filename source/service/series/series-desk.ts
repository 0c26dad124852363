import path from 'node:path';
import type * as z from 'zod';
import type {EpisodeSeries, seriesQuery} from '../../contract/local-series.ts';
import {mostChannels} from '../../contract/local-series.ts';
import {HttpProblem} from '../http/http-problem.ts';
import type {EpisodePlace} from '../lake/episode-place.ts';
import type {Lake} from '../lake/lake.ts';
import type {ReadSeries} from './series-messages.ts';
import {SeriesCrash, type SeriesWorker} from './series-worker.ts';

/** Series that are kept: going back and forth between two episodes reads neither again. */
const kept = 32;

/** Requests that may wait: a reader that comes when there are so many is told so. */
const mostWaiting = 16;

const statuses = {gone: 404, changed: 409, unreadable: 409, channel: 422} as const;

/** Answers what an episode was like over time. */
export class SeriesDesk {
	readonly #lake: Pick<Lake, 'episodePlace'>;
	readonly #worker: SeriesWorker;
	readonly #scratch: string;
	readonly #known = new Map<string, ReadSeries>();

	constructor({
		lake,
		worker,
		lakeFolder,
	}: {lake: Pick<Lake, 'episodePlace'>; worker: SeriesWorker; lakeFolder: string}) {
		this.#lake = lake;
		this.#worker = worker;
		this.#scratch = path.join(lakeFolder, 'staging', 'series');
	}

	/** @throws {HttpProblem} 404, 409 or 422 where there is none, 503 where too many are asked for at once */
	async series(episodeId: string, query: z.output<typeof seriesQuery>): Promise<EpisodeSeries> {
		const place = await this.#lake.episodePlace(episodeId);
		if (!place) throw new HttpProblem(404, `There is no episode ${episodeId} in this lake.`);
		const read = await this.#read(place, channelsOf(query.channels), query);
		return {
			episode_id: place.episode_id,
			dataset_name: place.dataset_name,
			episode_index: place.episode_index,
			task: place.task,
			...read,
			siblings: place.siblings.find(({task}) => task === place.task) ?? null,
		};
	}

	async #read(
		place: EpisodePlace,
		channels: string[] | undefined,
		{width, from, until}: Pick<z.output<typeof seriesQuery>, 'width' | 'from' | 'until'>,
	): Promise<ReadSeries> {
		const {folder, episode_index, revision} = place;
		const key = JSON.stringify([place.dataset_version_id, episode_index, channels, width, from, until]);
		const known = this.#known.get(key);
		if (known) return known;
		if (this.#worker.waiting >= mostWaiting) {
			throw new HttpProblem(503, 'Too many series are being read: ask again in a moment.', {
				'retry-after': '1',
			});
		}
		try {
			const reply = await this.#worker.ask({
				folder,
				episode_index,
				revision,
				...(channels && {channels}),
				width,
				...(from !== undefined && {from}),
				...(until !== undefined && {until}),
				scratch: this.#scratch,
			});
			if (reply.type === 'refused') throw refusalProblem(reply.reason, reply.message);
			if (reply.type !== 'series')
				throw new SeriesCrash('The process that reads series answered something else.');
			this.#known.set(key, reply.series);
			for (const oldest of this.#known.keys()) {
				if (this.#known.size <= kept) break;
				this.#known.delete(oldest);
			}
			return reply.series;
		} catch (error) {
			if (error instanceof SeriesCrash)
				throw new HttpProblem(500, `${error.message} It was reading ${folder}.`);
			throw error;
		}
	}
}

/** What a refusal of the reading process is to who asked. */
export function refusalProblem(reason: keyof typeof statuses, message: string): HttpProblem {
	const loc = ['query', 'channels'];
	return new HttpProblem(
		statuses[reason],
		reason === 'channel' ? [{loc, msg: message, type: 'value_error'}] : message,
	);
}

/** The names in a request's `channels`. */
function channelsOf(text: string | undefined): string[] | undefined {
	if (text === undefined) return undefined;
	const names = text.startsWith('[') ? listed(text) : text.split(',').filter(name => name !== '');
	if (names && names.length <= mostChannels) return names;
	const msg = names
		? `${names.length} channels, and at most ${mostChannels} are drawn at once`
		: 'A list of channels begins with "[" and is a JSON array of names';
	throw new HttpProblem(422, [{loc: ['query', 'channels'], msg, type: 'value_error'}]);
}

function listed(text: string): string[] | undefined {
	try {
		const names: unknown = JSON.parse(text);
		return Array.isArray(names) && names.every(name => typeof name === 'string') ? names : undefined;
	} catch {
		return undefined;
	}
}
