import type * as z from 'zod';
import type {EpisodeFrame, frameQuery} from '../../contract/local-frames.ts';
import {type EpisodeSeries, mostChannels, type seriesQuery} from '../../contract/local-series.ts';
import {Refusal} from '../host/refusal.ts';
import type {EpisodePlace} from '../lake/engine.ts';
import type {EpisodeAsking} from './episode-asking.ts';
import type {ReadSeries} from './series-messages.ts';

/** Series that are kept: going back and forth between two episodes reads neither again. */
const kept = 32;

/** Answers what an episode was like over time. */
export class SeriesService {
	readonly #asking: EpisodeAsking;
	readonly #known = new Map<string, ReadSeries>();

	constructor(asking: EpisodeAsking) {
		this.#asking = asking;
	}

	/** @throws {Refusal} `absent`, `conflict` or `invalid` where there is none, `unavailable` where too many are asked for at once */
	async series(episodeId: string, query: z.output<typeof seriesQuery>): Promise<EpisodeSeries> {
		const place = await this.#asking.place(episodeId);
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
		const key = JSON.stringify([place.dataset_version_id, place.episode_index, channels, width, from, until]);
		const known = this.#known.get(key);
		if (known) return known;
		const {series} = await this.#asking.ask('series', place, {
			series: {
				...(channels && {channels}),
				width,
				...(from !== undefined && {from}),
				...(until !== undefined && {until}),
			},
		});
		this.#known.set(key, series);
		for (const oldest of this.#known.keys()) {
			if (this.#known.size <= kept) break;
			this.#known.delete(oldest);
		}
		return series;
	}
}

/** The names in a request's `channels`. */
function channelsOf(text: string | undefined): string[] | undefined {
	if (text === undefined) return undefined;
	const names = text.startsWith('[') ? listed(text) : text.split(',').filter(name => name !== '');
	if (names && names.length <= mostChannels) return names;
	const msg = names
		? `${names.length} channels, and at most ${mostChannels} are drawn at once`
		: 'A list of channels begins with "[" and is a JSON array of names';
	throw new Refusal('invalid', [{loc: ['query', 'channels'], msg, type: 'value_error'}]);
}

function listed(text: string): string[] | undefined {
	try {
		const names: unknown = JSON.parse(text);
		return Array.isArray(names) && names.every(name => typeof name === 'string') ? names : undefined;
	} catch {
		return undefined;
	}
}

/** Answers with pictures of an episode. */
export class FrameService {
	readonly #asking: EpisodeAsking;

	constructor(asking: EpisodeAsking) {
		this.#asking = asking;
	}

	/** @throws {Refusal} as `EpisodeAsking` does */
	async frame(episodeId: string, frame: z.output<typeof frameQuery>): Promise<EpisodeFrame> {
		const place = await this.#asking.place(episodeId);
		const reply = await this.#asking.ask('frame', place, {frame});
		return {episode_id: place.episode_id, ...reply.frame};
	}
}
