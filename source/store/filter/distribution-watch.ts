import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {Figure, Histogram} from '../../contract/local-distribution.ts';
import type {NumericField} from '../../contract/vocabulary.ts';
import type {FigureAt} from '../../query/figure-at.ts';
import {type DatasetIdByName, toExploreRequest} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import type {LatestOnlyQueue} from '../queries/latest-only.ts';

/** How the figure at the caret lies. */
export type Distribution = {
	readonly of: Figure;
	readonly histogram: Histogram;
	/** Of the episodes that happen to be read, not of the whole result. */
	readonly isSample: boolean;
};

const histogramBins = 32;

/** A caret that rests this long at a figure asks for it. */
const restMs = 250;

const keptMs = 60_000;

type DistributionOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<Client, 'histogram'>;
	readonly lane: LatestOnlyQueue;
	readonly idOf: DatasetIdByName;
	/** Whether the service can tell of a whole result. */
	readonly isTold: () => boolean;
	readonly held: () => readonly LakeEpisode[];
};

/** How the figure at the caret lies over the result of the rest of the line. */
export class DistributionWatch {
	readonly known: StoreApi<Distribution | undefined> = createStore<Distribution | undefined>(() => undefined);
	readonly #options: DistributionOptions;
	#timer: NodeJS.Timeout | undefined;
	#wanted: string | undefined;

	constructor(options: DistributionOptions) {
		this.#options = options;
	}

	/** Says which figure the caret is at. */
	look(at: FigureAt | undefined): void {
		const wanted = at && JSON.stringify([at.of, print({...at.rest, descending: false})]);
		if (wanted === this.#wanted) return;
		this.stop();
		this.#wanted = wanted;
		const before = this.known.getState();
		const isSame =
			at !== undefined && before !== undefined && JSON.stringify(before.of) === JSON.stringify(at.of);
		// Of the same figure it stays until the new one is there.
		if (!isSame) this.known.setState(undefined, true);
		if (at === undefined) return;
		if (this.#options.isTold()) {
			this.#timer = setTimeout(() => this.#ask(at), restMs);
		} else if ('field' in at.of) {
			const histogram = sampleDistribution(this.#options.held(), at.of.field, histogramBins);
			this.known.setState({of: at.of, histogram, isSample: true}, true);
		}
	}

	stop(): void {
		clearTimeout(this.#timer);
		this.#options.lane.drop('histogram');
		this.#wanted = undefined;
	}

	#ask({of, rest}: FigureAt): void {
		const {queries, client, lane, idOf} = this.#options;
		const question = toExploreRequest({...rest, descending: false}, idOf);
		if (!question.ok) return;
		lane.want('histogram', async signal => {
			const request = {of, filter: question.request, bins: histogramBins};
			const histogram = await queries.fetchQuery({
				queryKey: ['histogram', request],
				queryFn: async () => (await client.histogram(request, {signal})).data,
				staleTime: keptMs,
				gcTime: keptMs,
			});
			if (!signal.aborted) this.known.setState({of, histogram, isSample: false}, true);
		});
	}
}

/** The figure of an episode by its name in a filter; undefined where the episode has none. */
export function figureOf(episode: LakeEpisode, field: NumericField): number | undefined {
	const own: Partial<Record<NumericField, unknown>> = {
		duration_s: episode.duration_seconds,
		frame_count: episode.frame_count,
		quality_score: episode.quality_score,
	};
	const value = field in own ? own[field] : episode.metrics?.[field];
	const number = typeof value === 'bigint' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The value below which a share of the sorted ones lies, between its neighbours. */
function quantile(sorted: readonly number[], share: number): number | null {
	if (sorted.length === 0) return null;
	const place = share * (sorted.length - 1);
	const below = sorted[Math.floor(place)] ?? 0;
	const above = sorted[Math.ceil(place)] ?? below;
	return below + (above - below) * (place - Math.floor(place));
}

/** How a figure lies over some episodes, as the embedded service says it of all. */
export function sampleDistribution(
	episodes: readonly LakeEpisode[],
	field: NumericField,
	bins: number,
): Histogram {
	const values = episodes.map(episode => figureOf(episode, field)).filter(value => value !== undefined);
	const sorted = values.sort((a, b) => a - b);
	const low = quantile(sorted, 0.01);
	const high = quantile(sorted, 0.99);
	const counts = Array.from({length: low === null ? 0 : low === high ? 1 : bins}, () => 0);
	for (const value of sorted) {
		if (low === null || high === null) break;
		const share = low === high ? 0 : (value - low) / (high - low);
		const bin = Math.min(counts.length - 1, Math.max(0, Math.floor(share * counts.length)));
		counts[bin] = (counts[bin] ?? 0) + 1;
	}
	return {
		count: sorted.length,
		missing: episodes.length - sorted.length,
		min: sorted[0] ?? null,
		median: quantile(sorted, 0.5),
		max: sorted.at(-1) ?? null,
		low,
		high,
		bins: counts,
	};
}
