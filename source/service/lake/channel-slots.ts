import type {ChannelPredicate} from '../../contract/explore.ts';
import {type Aggregate, aggregates} from '../../contract/vocabulary.ts';

/** A channel as a dataset holds it. Two of one name in a stream differ in where they come from. */
export type Channel = {
	stream: string;
	channel: string;
	native_channel: string;
	native_index: number;
};

/** A channel with the columns it lies in: those of slot k, in every dataset of the layout. */
export type PlacedChannel = Channel & {layout_key: number; slot: number};

/** The most channels of one dataset that can be asked for; each costs four columns. */
export const maxSlots = 1024;

/** Slots that lie in one table: those of band 0 in `episode`, those of band b in `slots_<b>`. */
export const bandSlots = 32;

/** The band that a slot lies in. */
export function bandOf(slot: number): number {
	return Math.floor(slot / bandSlots);
}

/** The column of `episode` that holds one aggregate of a slot. */
export function slotColumn(slot: number, aggregate: Aggregate): string {
	return `s${slot}_${aggregate}`;
}

/** The columns of the slots from `from` up to, not including, `to`. */
export function slotColumns(from: number, to: number): string[] {
	const columns: string[] = [];
	for (let slot = from; slot < to; slot++) {
		for (const aggregate of aggregates) columns.push(slotColumn(slot, aggregate));
	}
	return columns;
}

/** Identifies a channel of a dataset. */
export function channelIdentity(channel: Channel): string {
	return JSON.stringify([channel.stream, channel.channel, channel.native_channel, channel.native_index]);
}

/**
 * Gives each channel of a new layout a slot of its own: where it can, the one that channels of its name have in the
 * layouts `known` already, because a name that lies in one slot everywhere is asked for by one plain comparison. A layout
 * takes no more bands than its channels need: what a wide dataset has far out lies near in a narrow one.
 */
export function assignSlots(channels: readonly Channel[], known: readonly PlacedChannel[]): number[] {
	const usual = new Map<string, number>();
	for (const {stream, channel, slot} of known) {
		const name = JSON.stringify([stream, channel]);
		if (!usual.has(name)) usual.set(name, slot);
	}
	const room = Math.ceil(channels.length / bandSlots) * bandSlots;
	const taken = new Set<number>();
	const slots: number[] = channels.map(({stream, channel}) => {
		const slot = usual.get(JSON.stringify([stream, channel]));
		if (slot === undefined || slot >= room || taken.has(slot)) return -1;
		taken.add(slot);
		return slot;
	});
	let free = 0;
	return slots.map(slot => {
		if (slot >= 0) return slot;
		while (taken.has(free)) free++;
		taken.add(free);
		return free;
	});
}

/** A channel predicate with the slots where the lake's datasets hold its channel. */
export type ResolvedPredicate = {
	predicate: ChannelPredicate;
	/** The channel's occurrences; in one layout more than one, where episodes differ in where the channel comes from. */
	placed: PlacedChannel[];
	/** For each of its slots, the layouts it must be confined to; null when no other channel lies there. */
	slots: Array<{slot: number; layouts: number[] | null}>;
};

/**
 * The places of the channels that predicates ask for.
 *
 * @param neighbours all that lies in the slots of channels of these names, in whichever layout
 */
export function placePredicates(
	predicates: readonly ChannelPredicate[],
	neighbours: readonly PlacedChannel[],
): ResolvedPredicate[] {
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
