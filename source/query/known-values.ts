import type {Count} from '../contract/scalars.ts';
import type {Stream} from '../contract/vocabulary.ts';
import type {KeyName} from './keys.ts';

/** A value that somebody may want to filter by, and how many episodes would be left. */
export type KnownValue = {readonly value: string; readonly count?: Count | undefined};

export type KnownChannel = {
	readonly stream: Stream;
	readonly channel: string;
	readonly count?: Count | undefined;
};

/** What has been seen of a lake, to be offered while a filter is typed. */
export type KnownValues = {
	/** The most common first. */
	readonly values: Readonly<Partial<Record<KeyName, readonly KnownValue[]>>>;
	readonly channels: readonly KnownChannel[];
};

export const nothingKnown: KnownValues = {values: {}, channels: []};
