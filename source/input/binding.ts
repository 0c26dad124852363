import type {InputEvent} from '../terminal/input-event.ts';

/** Returned by `run` to say "not mine after all": the key goes on to the layers below. */
export const pass: unique symbol = Symbol('pass');

/** One thing a layer can do, and the keys that do it: feeds the router, footer, help and palette. */
export type Binding = {
	/** Each entry one key (`j`, `ctrl+d`) or a chord (`g g`); none = reachable from the palette alone. */
	readonly keys: readonly string[];
	/** Stable name, `episodes.next`: what configuration rebinds and the palette runs. */
	readonly action: string;
	/** What it does, in a few words, as help shows it. */
	readonly description: string;
	/** What the footer calls it, where that is to be shorter. @default the description */
	readonly hint?: string;
	/** Heading in the help overlay. */
	readonly category?: string;
	/** Whether it can be done just now; a binding that can't be done neither shows nor consumes. */
	readonly when?: () => boolean;
	/**
	 * Called with the event that matched, or with nothing from the palette. The key is consumed whatever
	 * it returns, `pass` apart.
	 */
	readonly run: (event?: InputEvent) => unknown;
	/**
	 * What a key of it waits for, and the keys behind that key with it; undefined where there is nothing to wait for. It is
	 * to settle soon, whatever happens.
	 */
	readonly ready?: () => Promise<unknown> | undefined;
	/**
	 * Its effect is settled when `run` returns (it changes a store, mounts nothing, moves no focus), so
	 * that the keys behind it in one burst need not wait for React: a hundred `j` become one commit.
	 *
	 * @default false
	 */
	readonly batch?: boolean;
	/**
	 * How soon the footer shows it where room is short: lower first; without one it is not in the footer.
	 */
	readonly footer?: number;
	/** It leads to all else: the footer shows it at its end, however short the room is. @default false */
	readonly isKept?: boolean;
	/** What the footer calls it in one with others of that word: two of them (`← → cursor`), or keys that follow one another (`2-7 views`). */
	readonly together?: string;
};
