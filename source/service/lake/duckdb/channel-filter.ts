import type {DuckDBConnection} from '@duckdb/node-api';
import type {ChannelPredicate} from '../../../contract/explore.ts';
import {bandOf, type PlacedChannel, slotColumn} from './channel-slots.ts';
import {comparisonOperators} from './comparison.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';
import {bandTable} from './slot-bands.ts';

/** A channel predicate with the slots where the lake's datasets hold its channel. */
export type ResolvedPredicate = {
	predicate: ChannelPredicate;
	/** The channel's occurrences; in one layout more than one, where episodes differ in where the channel comes from. */
	placed: PlacedChannel[];
	/** For each of its slots, the layouts it must be confined to; null when no other channel lies there. */
	slots: Array<{slot: number; layouts: number[] | null}>;
};

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
	return predicates.map(predicate => {
		const isAsked = (placed: PlacedChannel) =>
			placed.stream === predicate.stream && placed.channel === predicate.channel;
		const placed = neighbours.filter(isAsked);
		const slots = [...Map.groupBy(placed, ({slot}) => slot)].map(([slot, here]) => {
			const shared = neighbours.some(other => other.slot === slot && !isAsked(other));
			return {slot, layouts: shared ? here.map(({layout_key}) => layout_key) : null};
		});
		return {predicate, placed, slots};
	});
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
