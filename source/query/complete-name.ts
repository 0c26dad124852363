import {type Aggregate, numericFields} from '../contract/vocabulary.ts';
import type {KnownChannel, KnownValues} from './known-values.ts';
import {ranked} from './rank.ts';

/** A name that a comparison may be about: a figure's, or a channel's with its stream. */
export type NameCandidate = {readonly name: string} & Partial<KnownChannel>;

/** The figures, or where something is summed up the channels, that resemble what was typed. */
export function completeName(
	typed: string,
	agg: Aggregate | undefined,
	{channels}: KnownValues,
): readonly NameCandidate[] {
	if (agg === undefined) {
		return ranked(
			typed,
			numericFields.map(name => ({name})),
			({name}) => [name],
		);
	}
	return ranked(
		typed,
		channels.map(channel => ({...channel, name: channel.channel})),
		({name, stream}) => [name, `${stream}.${name}`],
	);
}
