import type {ChannelPredicateEvidence} from '../../../contract/episode.ts';
import type {ResolvedPredicate} from './channel-filter.ts';
import {slotColumn} from './channel-slots.ts';
import type {EpisodeRow} from './page.ts';

/** Section 2.2: what each channel predicate observed in an episode that satisfies all of them. */
export function evidenceOf(
	row: EpisodeRow,
	channels: readonly ResolvedPredicate[],
): ChannelPredicateEvidence[] {
	return channels.flatMap(({predicate, placed}, predicate_index) => {
		const {stream, channel, agg, op, value: threshold} = predicate;
		for (const candidate of placed) {
			const observed = row[slotColumn(candidate.slot, agg)];
			if (candidate.layout_key !== row.layout_key || typeof observed !== 'number') continue;
			const {native_channel, native_index} = candidate;
			return {
				predicate_index,
				stream,
				channel,
				agg,
				op,
				threshold,
				observed_value: observed,
				native_channel,
				native_index,
			};
		}
		return [];
	});
}
