import type {InputEvent} from '../terminal/input-event.ts';

/** Returned by `run` to say "not mine after all": the key goes on to the layers below. */
export const pass: unique symbol = Symbol('pass');

/** One thing a layer can do, and the keys that do it: feeds the router, footer, help and palette. */
export type Binding = {
	/** Each entry one key (`j`, `ctrl+d`) or a chord (`g g`); none = reachable from the palette alone. */
	readonly keys: readonly string[];
	/** Stable name, `episodes.next`: what configuration rebinds and the palette runs. */
	readonly action: string;
	/** Its effect in a few words, as help shows it. */
	readonly description: string;
	/** Its words in the footer, where they are to be shorter. @default the description */
	readonly hint?: string;
	/** Heading in the help overlay. */
	readonly category?: string;
	/** False while the action is not available: the binding then neither shows nor consumes its keys. */
	readonly when?: () => boolean;
	/**
	 * Called with the event that matched, or with nothing from the palette. The key is consumed whatever
	 * it returns, `pass` apart.
	 */
	readonly run: (event?: InputEvent) => unknown;
	/**
	 * The promise that its key waits for, and the keys behind that key too; undefined where there is none. It is
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
	/** The word that it shares with other bindings in the footer: two keys (`← → cursor`), or a row of them (`2-7 views`). */
	readonly together?: string;
};
