import type {QueryClient} from '@tanstack/query-core';
import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {Histogram} from '../../contract/local-distribution.ts';
import {type MetricName, metricValue} from '../../contract/metrics.ts';

const keptMs = 60_000;

/** How a figure lies over a whole result, as the service tells it; an answer is kept for a minute. */
export function readHistogram(
	{queries, client}: {readonly queries: QueryClient; readonly client: Pick<Client, 'histogram'>},
	request: Parameters<Client['histogram']>[0],
	signal: AbortSignal,
): Promise<Histogram> {
	return queries.fetchQuery({
		queryKey: ['histogram', request],
		queryFn: async () => (await client.histogram(request, {signal})).data,
		staleTime: keptMs,
		gcTime: keptMs,
	});
}

/** The figure of an episode by its name in a filter; undefined where the episode has none. */
export function figureOf(episode: LakeEpisode, field: MetricName): number | undefined {
	const value = metricValue(episode, field);
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
	field: MetricName,
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
