import * as z from 'zod';
import {maxIndex, openText, real, smallInteger} from './scalars.ts';

/** Section 2.2: what an episode's channel was measured at, against one channel predicate of the request. */
export const channelPredicateEvidence = z.looseObject({
	predicate_index: smallInteger(31),
	stream: openText,
	channel: z.string().min(1).max(512),
	agg: openText,
	op: openText,
	threshold: real,
	observed_value: real,
	native_channel: z.string().min(1).max(512),
	native_index: smallInteger(maxIndex),
});
export type ChannelPredicateEvidence = z.output<typeof channelPredicateEvidence>;
