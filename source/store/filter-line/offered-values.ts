import type {LakeEpisode} from '../../contract/episode.ts';
import type {FacetCount, LakeFacets} from '../../contract/facets.ts';
import type {ChannelList} from '../../contract/local-distribution.ts';
import type {Filter} from '../../query/filter.ts';
import {noTier} from '../../query/keys.ts';
import type {KnownChannel, KnownValue, KnownValues} from '../../query/known-values.ts';

type Seen = {
	readonly facets: LakeFacets | undefined;
	/** Episodes that are read. */
	readonly episodes: readonly LakeEpisode[];
	readonly datasets: readonly string[];
	/** Undefined where the service does not tell of its channels. */
	readonly channels: ChannelList | undefined;
	/** Filters that were applied before, the newest first: their channels are worth offering again. */
	readonly filters: readonly Filter[];
};

const named = (counts: readonly FacetCount[] = []): readonly KnownValue[] =>
	counts.filter(({value}) => value !== '').map(({value, count}) => ({value, count}));

/** The tags of the episodes that are read, the most common first: the interface has no list of them. */
function tagsOf(episodes: readonly LakeEpisode[]): readonly KnownValue[] {
	const seen = new Map<string, number>();
	for (const {tags} of episodes) for (const tag of tags ?? []) seen.set(tag, (seen.get(tag) ?? 0) + 1);
	return [...seen].sort(([, a], [, b]) => b - a).map(([value]) => ({value}));
}

function channelsOf({channels, filters}: Seen): readonly KnownChannel[] {
	if (channels !== undefined) {
		return channels.items.map(({stream, channel, episodes}) => ({stream, channel, count: episodes}));
	}
	const seen = new Map<string, KnownChannel>();
	for (const {stream, channel} of filters.flatMap(filter => filter.channels)) {
		seen.set(`${stream}.${channel}`, {stream, channel});
	}
	return [...seen.values()];
}

/** What can be offered while a filter is typed, of all that was seen of the lake. */
export function offeredValues(seen: Seen): KnownValues {
	const {facets, episodes, datasets} = seen;
	return {
		values: {
			task: named(facets?.by_task),
			tier: (facets?.by_tier ?? []).map(({value, count}) => ({value: value === '' ? noTier : value, count})),
			interface: named(facets?.by_interface_hash),
			marker: named(facets?.by_marker_signature ?? undefined),
			dataset: datasets.map(value => ({value})),
			tag: tagsOf(episodes),
		},
		channels: channelsOf(seen),
	};
}
