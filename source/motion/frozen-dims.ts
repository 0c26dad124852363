import type {ChannelAggregate} from './channel-aggregates.ts';

/** A dimension whose range over the episode stays below this is frozen. */
const smallestRange = 1e-6;

/** How many dimensions do not move within the episode. One without a single finite value counts as frozen. */
export function countFrozenDims(channels: readonly (ChannelAggregate | null)[]): number {
	return channels.filter(channel => !channel || channel.max - channel.min < smallestRange).length;
}
