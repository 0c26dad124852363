import type {ChannelPredicate} from '../../../contract/explore.ts';
import {type Facet, type FacetId, facets} from '../../../contract/facets.ts';
import type {OwnExploreQuery, SortField} from '../../../contract/local-explore.ts';
import {isMetricName, type MetricName} from '../../../contract/metrics.ts';
import type {Aggregate} from '../../../contract/vocabulary.ts';
import {
	bandOf,
	bandSlots,
	type PlacedChannel,
	placePredicates,
	type ResolvedPredicate,
	slotColumn,
} from '../channel-slots.ts';
import {comparisonOperators} from '../comparison.ts';
import {fold} from '../fold.ts';
import {amongIntegers, amongTexts, integer, real, text, texts} from './literals.ts';
import {isInState, type Moment, within} from './moment.ts';
import type {Server} from './server.ts';

/** Looks up where the channels of the predicates lie in the layouts of this moment. */
export async function resolvePredicates(
	server: Server,
	{datasets}: Moment,
	predicates: readonly ChannelPredicate[],
): Promise<ResolvedPredicate[]> {
	if (predicates.length === 0) return [];
	const layouts = amongIntegers('layout_key', [...new Set(datasets.map(({layout_key}) => layout_key))]);
	const names = amongTexts(
		'channel',
		predicates.map(({channel}) => channel),
	);
	const neighbours = await server.rows<PlacedChannel>(
		`SELECT DISTINCT layout_key, slot, stream, channel, native_channel, native_index FROM channel
		WHERE ${layouts} AND slot IN (SELECT slot FROM channel WHERE ${layouts} AND ${names})
		ORDER BY layout_key, slot`,
	);
	return placePredicates(predicates, neighbours);
}

/** The column of a slot in the table of its band. */
export const columnInBand = (slot: number, aggregate: Aggregate) => slotColumn(slot % bandSlots, aggregate);

function channelCondition({predicate, slots}: ResolvedPredicate, moment: Moment): string {
	const alternatives = slots.map(({slot, layouts}) => {
		const holds = `${columnInBand(slot, predicate.agg)} ${comparisonOperators[predicate.op]} ${real(predicate.value)}`;
		const band = bandOf(slot);
		const satisfied =
			band === 0
				? `ifNull(e.${holds}, 0)`
				: `(e.generation_key, e.episode_index) IN (
					SELECT generation_key, episode_index FROM slots s
					WHERE ${within('s', moment.datasets)} AND band = ${band} AND ifNull(s.${holds}, 0)
				)`;
		return layouts === null ? satisfied : `(${amongIntegers('e.layout_key', layouts)} AND ${satisfied})`;
	});
	return alternatives.length === 0 ? '0' : `(${alternatives.join(' OR ')})`;
}

/** The column of `episode e` that holds a metric, as a float. Anything else stays out of the statement. */
export function numericColumn(field: MetricName): string {
	if (!isMetricName(field)) throw new RangeError(`${field} is no metric of an episode.`);
	return `toFloat64(e.${field})`;
}

/** The figure that episodes are ordered by; adding 0 makes one of the two zeros, which are equal. */
export function sortFigure(field: SortField): string {
	if (field === 'frame_count') return 'e.frame_count';
	return field === 'doubt' ? '(e.doubt + 0)' : `(${numericColumn(field)} + 0)`;
}

/** The conditions of a request that are about an episode's own row, `episode e`. */
export function episodeConditions(
	query: OwnExploreQuery,
	channels: readonly ResolvedPredicate[],
	moment: Moment,
): string[] {
	const conditions: string[] = [];
	if (query.episode_index != null) conditions.push(`e.episode_index = ${integer(query.episode_index)}`);
	if (query.parent_episode_index != null) {
		conditions.push(`ifNull(e.parent_episode_index = ${integer(query.parent_episode_index)}, 0)`);
	}
	if (query.lineage === 'originals') conditions.push('e.parent_episode_index IS NULL');
	if (query.lineage === 'children') conditions.push('e.parent_episode_index IS NOT NULL');
	if (query.review_state !== '') conditions.push(isInState(moment, text(query.review_state)));
	for (const state of query.not?.review_states ?? []) {
		conditions.push(`NOT ${isInState(moment, text(state))}`);
	}
	for (const {field, op, value} of query.numeric_predicates ?? []) {
		conditions.push(`ifNull(${numericColumn(field)} ${comparisonOperators[op]} ${real(value)}, 0)`);
	}
	for (const predicate of channels) conditions.push(channelCondition(predicate, moment));
	return conditions;
}

/** The column of a facet, all of which `profile p` holds. */
const columnOf = ({column: [, name]}: Facet) => `p.${name}`;

/** The value of a facet; an episode without one may count as one with the empty value. */
export const facetValue = (facet: Facet): string =>
	facet.none === undefined ? columnOf(facet) : `ifNull(${columnOf(facet)}, '')`;

/** The conditions on `profile p` that hold for every facet: tags and search. */
export function sharedProfileConditions(query: OwnExploreQuery): string[] {
	const conditions: string[] = [];
	for (const facet of facets) {
		if (!('meansAll' in facet)) continue;
		const [asked, left] = askedOf(query, facet);
		if (asked.length > 0) conditions.push(`hasAll(${columnOf(facet)}, ${texts(asked)})`);
		if (left.length > 0) conditions.push(`NOT hasAny(${columnOf(facet)}, ${texts(left)})`);
	}
	if (query.search !== '') {
		const wanted = text(fold(query.search));
		conditions.push(
			`(position(p.task_folded, ${wanted}) > 0 OR position(p.name_folded, ${wanted}) > 0
				OR arrayExists(tag -> position(tag, ${wanted}) > 0, p.tags_folded))`,
		);
	}
	return conditions;
}

/** The condition of each facet that the request filters by, values asked for and values left out; never NULL. */
export function facetConditions(query: OwnExploreQuery): Map<FacetId, string> {
	const conditions = new Map<FacetId, string>();
	for (const facet of facets as readonly Facet[]) {
		if (facet.meansAll) continue;
		const value = facet.requestColumn === undefined ? facetValue(facet) : `p.${facet.requestColumn}`;
		const among = (values: readonly string[]) => `ifNull(${amongTexts(value, values)}, 0)`;
		const [asked, left] = askedOf(query, facet);
		const both = [
			...(asked.length > 0 ? [among(asked)] : []),
			...(left.length > 0 ? [`NOT ${among(left)}`] : []),
		];
		if (both.length > 0) conditions.set(facet.id, `(${both.join(' AND ')})`);
	}
	return conditions;
}

/** The values of a facet that a request asks for, and those that it leaves out. */
function askedOf(query: OwnExploreQuery, {request, requestColumn}: Facet): [string[], string[]] {
	const asked = ({[request]: values}: Pick<OwnExploreQuery, Facet['request']>) =>
		(values ?? []).map(value => (requestColumn === undefined ? value : value.toLowerCase()));
	return [asked(query), asked(query.not ?? {})];
}

/** The condition that `episode e` is of a profile that these hold for. */
export function profileCondition(
	conditions: readonly string[],
	datasets: ReadonlyArray<{generation_key: number}>,
): string[] {
	if (conditions.length === 0) return [];
	return [
		`(e.generation_key, e.profile_key) IN (
			SELECT p.generation_key, p.profile_key FROM profile p
			WHERE ${[within('p', datasets), ...conditions].join(' AND ')}
		)`,
	];
}
