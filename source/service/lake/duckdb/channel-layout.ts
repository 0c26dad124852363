import type {DuckDBConnection} from '@duckdb/node-api';
import {assignSlots, type Channel, channelIdentity, maxSlots, type PlacedChannel} from '../channel-slots.ts';
import type {Database} from './database.ts';

/** A set of channels and the slots they lie in; every dataset with exactly these channels shares it. */
export type Layout = {
	layout_key: number;
	/** True if the lake held it already. */
	known: boolean;
	channels: PlacedChannel[];
	/** The channels that were left out, for the dataset's list of problems. */
	problems: Array<{file: string; message: string}>;
};

/** The layout of these channels: the lake's own where it has it, a new one otherwise. */
export async function layoutFor(
	database: Database,
	connection: DuckDBConnection,
	channels: readonly Channel[],
): Promise<Layout> {
	const kept = channels.slice(0, maxSlots);
	const problems = channels.length > maxSlots ? [tooMany(channels)] : [];
	const placed = await database.rows<PlacedChannel>(
		connection,
		'SELECT layout_key, slot, stream, channel, native_channel, native_index FROM channel ORDER BY layout_key, slot',
	);
	const layouts = Map.groupBy(placed, channel => channel.layout_key);
	const wanted = signature(kept);
	for (const [layout_key, members] of layouts) {
		if (signature(members) !== wanted) continue;
		return {layout_key, known: true, channels: members, problems};
	}
	let layout_key = 0;
	while (layouts.has(layout_key)) layout_key++;
	const slots = assignSlots(kept, placed);
	const members = kept.map((channel, index) => ({...channel, layout_key, slot: slots[index] ?? index}));
	return {layout_key, known: false, channels: members, problems};
}

function signature(channels: readonly Channel[]): string {
	return channels.map(channelIdentity).sort().join('\n');
}

function tooMany(channels: readonly Channel[]) {
	const left = channels.length - maxSlots;
	return {
		file: 'meta/info.json',
		message: `${channels.length} channels, of which the first ${maxSlots} can be asked for and ${left} cannot`,
	};
}
