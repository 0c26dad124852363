import type {OwnExploreQuery, SortField} from '../../../contract/local-explore.ts';
import {isMetricName, type MetricName} from '../../../contract/metrics.ts';
import type {ResolvedPredicate} from '../channel-slots.ts';
import {comparisonOperators} from '../comparison.ts';
import {channelCondition} from './channel-filter.ts';
import type {Parameters} from './parameters.ts';

/** The column of `episode e` that holds a metric: one of its name. Anything else stays out of SQL. */
export function numericColumn(field: MetricName): string {
	if (!isMetricName(field)) throw new RangeError(`${field} is no metric of an episode.`);
	return `e.${field}`;
}

/** The conditions of a request that are about an episode's own row, `episode e`. */
export function episodeConditions(
	query: OwnExploreQuery,
	channels: readonly ResolvedPredicate[],
	bound: Parameters,
): string[] {
	const conditions: string[] = [];
	if (query.episode_index != null) conditions.push(`e.episode_index = ${bound.integer(query.episode_index)}`);
	if (query.parent_episode_index != null) {
		conditions.push(`e.parent_episode_index = ${bound.integer(query.parent_episode_index)}`);
	}
	if (query.lineage === 'originals') conditions.push('e.parent_episode_index IS NULL');
	if (query.lineage === 'children') conditions.push('e.parent_episode_index IS NOT NULL');
	if (query.review_state !== '') {
		conditions.push(`e.review_state = ${bound.text(query.review_state)}::review_state`);
	}
	for (const state of query.not?.review_states ?? []) {
		conditions.push(`e.review_state <> ${bound.text(state)}::review_state`);
	}
	for (const {field, op, value} of query.numeric_predicates ?? []) {
		conditions.push(`${numericColumn(field)} ${comparisonOperators[op]} ${bound.real(value)}`);
	}
	for (const predicate of channels) conditions.push(channelCondition(predicate, bound));
	return conditions;
}

/** The column that episodes are ordered by. */
export function sortColumn(field: SortField): string {
	return field === 'doubt' ? 'e.doubt' : numericColumn(field);
}

/** `WHERE a AND b`, or nothing. */
export function whereAll(conditions: readonly string[]): string {
	return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
}
