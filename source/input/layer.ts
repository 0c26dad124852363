import type {KeyEvent, MouseEvent, PasteEvent} from '../terminal/input-event.ts';
import type {Binding} from './binding.ts';

/** From the bottom to the top; within a level, what came later lies above. */
export const levels = ['global', 'view', 'pane', 'dialog'] as const;
export type Level = (typeof levels)[number];

/** What typed text goes to. Of a key that types nothing it must say `true` where it took it. */
export type TextCapture = (event: KeyEvent | PasteEvent) => unknown;

/** One of those who want keys. The topmost that consumes a key ends its way. */
export type Layer = {
	/** Names the layer in the help overlay and in `within`. */
	readonly id: string;
	readonly level: Level;
	readonly bindings: readonly Binding[];
	/**
	 * Makes it a field: every key that types text, and every paste, goes here and no further; keys that
	 * type nothing are offered to `bindings` first, then here, then to the layers below.
	 */
	readonly text?: TextCapture;
	/** Typed text is settled when `text` returns (see `Binding.batch`). @default true */
	readonly batchText?: boolean;
	/** Nothing below it hears of a key, a paste or the mouse. @default false */
	readonly modal?: boolean;
	/** Says `true` where it took the event; the cell is the screen's, the hit test the layer's. */
	readonly mouse?: (event: MouseEvent) => unknown;
	/** The layer that it is a part of (a field in a dialog): it lies directly above that one. */
	readonly within?: string;
};
