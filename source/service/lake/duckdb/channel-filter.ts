import type {DuckDBConnection} from '@duckdb/node-api';
import type {ChannelPredicate} from '../../../contract/explore.ts';
import {
	bandOf,
	type PlacedChannel,
	placePredicates,
	type ResolvedPredicate,
	slotColumn,
} from '../channel-slots.ts';
import {comparisonOperators} from '../comparison.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';
import {bandTable} from './slot-bands.ts';

/** Looks up where the channels of the predicates lie. Must see the same snapshot as the statements that use it. */
export async function resolvePredicates(
	database: Database,
	connection: DuckDBConnection,
	predicates: readonly ChannelPredicate[],
): Promise<ResolvedPredicate[]> {
	if (predicates.length === 0) return [];
	const bound = new Parameters();
	const names = bound.texts(predicates.map(({channel}) => channel));
	const neighbours = await database.rows<PlacedChannel>(
		connection,
		`SELECT layout_key, slot, stream, channel, native_channel, native_index FROM channel
		WHERE slot IN (SELECT slot FROM channel WHERE channel IN (SELECT unnest(${names})))
		ORDER BY layout_key, slot`,
		bound,
	);
	return placePredicates(predicates, neighbours);
}

/** The condition on `episode e` that a channel predicate makes; a channel that nowhere occurs matches nothing. */
export function channelCondition({predicate, slots}: ResolvedPredicate, bound: Parameters): string {
	if (slots.length === 0) return 'false';
	const threshold = bound.real(predicate.value);
	const alternatives = slots.map(({slot, layouts}) => {
		const holds = `${slotColumn(slot, predicate.agg)} ${comparisonOperators[predicate.op]} ${threshold}`;
		const band = bandOf(slot);
		const satisfied =
			band === 0 ? `e.${holds}` : `e.row_key IN (SELECT row_key FROM ${bandTable(band)} WHERE ${holds})`;
		if (layouts === null) return satisfied;
		return `(e.layout_key IN (${layouts.map(key => bound.integer(key)).join(', ')}) AND ${satisfied})`;
	});
	return alternatives.length === 1 ? (alternatives[0] ?? 'false') : `(${alternatives.join(' OR ')})`;
}
