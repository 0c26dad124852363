import type {Figure, Histogram, HistogramQuery} from '../../../contract/local-distribution.ts';
import {bandOf} from '../channel-slots.ts';
import {count} from '../count.ts';
import {
	columnInBand,
	episodeConditions,
	facetConditions,
	numericColumn,
	profileCondition,
	resolvePredicates,
	sharedProfileConditions,
} from './filters.ts';
import {amongIntegers, real} from './literals.ts';
import {type Moment, within} from './moment.ts';
import type {Server} from './server.ts';

type Bounds = Record<'total' | 'known', number> &
	Record<'least' | 'most' | 'low' | 'middle' | 'high', number | null>;

/** A figure in SQL, null where the episode has none, and the bands that it is in beyond the first. */
async function figureOf(
	server: Server,
	moment: Moment,
	of: Figure,
): Promise<{value: string; bands: number[]}> {
	if ('field' in of) return {value: numericColumn(of.field), bands: []};
	const [resolved] = await resolvePredicates(server, moment, [{...of, op: 'gt', value: 0}]);
	const bands = new Set<number>();
	const places = (resolved?.slots ?? []).map(({slot, layouts}) => {
		const band = bandOf(slot);
		if (band > 0) bands.add(band);
		const column = `${band === 0 ? 'e' : `band${band}`}.${columnInBand(slot, of.agg)}`;
		return layouts === null ? column : `if(${amongIntegers('e.layout_key', layouts)}, ${column}, NULL)`;
	});
	const value = places.length === 0 ? "CAST(NULL, 'Nullable(Float64)')" : `coalesce(${places.join(', ')})`;
	return {value, bands: [...bands]};
}

/** How a figure is distributed over the whole result of a filter, of one moment. */
export async function histogram(server: Server, moment: Moment, query: HistogramQuery): Promise<Histogram> {
	const {of, filter} = query;
	const nothing = {count: 0, missing: 0, min: null, median: null, max: null, low: null, high: null, bins: []};
	if (moment.datasets.length === 0) return nothing;
	const channels = await resolvePredicates(server, moment, filter.channel_predicates ?? []);
	const {value, bands} = await figureOf(server, moment, of);
	const ofProfile = [...sharedProfileConditions(filter), ...facetConditions(filter).values()];
	const conditions = [
		within('e', moment.datasets),
		...episodeConditions(filter, channels, moment),
		...profileCondition(ofProfile, moment.datasets),
	];
	const joins = bands.map(
		band => `LEFT JOIN (SELECT * FROM slots s WHERE ${within('s', moment.datasets)} AND band = ${band}) AS band${band}
			ON band${band}.generation_key = e.generation_key AND band${band}.episode_index = e.episode_index`,
	);
	const figures = `SELECT CAST(${value}, 'Nullable(Float64)') AS value FROM episode e ${joins.join(' ')} WHERE ${conditions.join(' AND ')}`;
	const [bounds] = await server.rows<Bounds>(
		`SELECT count() AS total, count(value) AS known, min(value) AS least, max(value) AS most,
			quantileExactInclusive(0.01)(value) AS low, quantileExactInclusive(0.5)(value) AS middle,
			quantileExactInclusive(0.99)(value) AS high
		FROM (${figures})`,
	);
	if (!bounds) return nothing;
	const {total, known} = bounds;
	const none = known === 0;
	const [min, max, low, median, high] = [
		bounds.least,
		bounds.most,
		bounds.low,
		bounds.middle,
		bounds.high,
	].map(figure => (none ? null : figure)) as [
		number | null,
		number | null,
		number | null,
		number | null,
		number | null,
	];
	const about = {
		count: count(BigInt(known)),
		missing: count(BigInt(total - known)),
		min,
		median,
		max,
		low,
		high,
	};
	if (low === null || high === null) return {...about, bins: []};
	if (low === high) return {...about, bins: [about.count]};
	const step = `floor((value - ${real(low)}) / ${real(high - low)} * ${query.bins})`;
	const rows = await server.rows<{bin: number; episodes: number}>(
		`SELECT toInt32(least(${query.bins - 1}, greatest(0, ${step}))) AS bin, count() AS episodes
		FROM (SELECT assumeNotNull(value) AS value FROM (${figures}) WHERE value IS NOT NULL) GROUP BY bin`,
	);
	const held = new Map(rows.map(({bin, episodes}) => [bin, episodes]));
	return {...about, bins: Array.from({length: query.bins}, (_, bin) => held.get(bin) ?? 0)};
}
