import type {LakeFacets} from '../../contract/facets.ts';
import type {ChannelList} from '../../contract/local-distribution.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Filter} from '../../query/filter.ts';
import {nearest} from '../../query/nearest.ts';
import {printValue} from '../../query/print.ts';

/** What a filter asks for that is not there, and what is there of that kind and resembles it. */
export type Missing = {
	readonly kind: 'channel' | 'task' | 'embodiment' | 'marker signature';
	readonly asked: string;
	readonly like: readonly string[];
};

/** The channels that no episode of the lake has. */
export function missingChannels({channels}: Filter, {items, more}: ChannelList): readonly Missing[] {
	if (more) return [];
	const names = (stream: string) => items.filter(item => item.stream === stream).map(({channel}) => channel);
	return channels
		.filter(({stream, channel}) => !names(stream).includes(channel))
		.map(({stream, channel}) => {
			const inStream = nearest(channel, names(stream)).map(name => `${stream}.${name}`);
			const others = items.filter(item => item.stream !== stream && item.channel === channel);
			const elsewhere = others.map(item => `${item.stream}.${channel}`);
			return {kind: 'channel', asked: `${stream}.${channel}`, like: [...elsewhere, ...inStream].slice(0, 3)};
		});
}

/** The values that no episode of the lake has; `facets` are those of the whole lake. */
export function missingValues(filter: Filter, facets: LakeFacets): readonly Missing[] {
	const asked: readonly (readonly [
		Missing['kind'],
		readonly string[],
		LakeFacets['by_task'],
		Count | null | undefined,
	])[] = [
		['task', filter.tasks, facets.by_task, facets.by_task_total_values],
		['embodiment', filter.interfaces, facets.by_interface_hash, facets.by_interface_hash_total_values],
		[
			'marker signature',
			filter.markers,
			facets.by_marker_signature ?? [],
			facets.by_marker_signature_total_values,
		],
	];
	return asked.flatMap(([kind, wanted, listed, total]) => {
		const values = listed.map(({value}) => value);
		// Of a list that is cut nobody can say what it lacks.
		if (total === null || total === undefined || Number(total) > values.length) return [];
		return wanted
			.filter(value => !values.includes(value))
			.map(value => ({kind, asked: printValue(value), like: nearest(value, values).map(printValue)}));
	});
}
