import type {KeyEvent, MouseEvent, PasteEvent} from '../terminal/input-event.ts';
import type {Binding} from './binding.ts';

/** From the bottom to the top; within a level, what came later lies above. */
const levels = ['global', 'view', 'pane', 'dialog'] as const;
export type Level = (typeof levels)[number];

/** Receives typed text. For a key that types nothing it must return `true` where it took it. */
type TextCapture = (event: KeyEvent | PasteEvent) => unknown;

/** A layer that takes keys. The topmost that consumes a key hides it from the others. */
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

type Entry = {layer: Layer; readonly order: number};

/** Handed to the layer's owner, to change or remove it. */
export type LayerHandle = {
	/** Replaces what the layer says; it keeps its place. */
	update(layer: Layer): void;
	remove(): void;
};

/** The layers that want keys, in order. */
type LayerStack = {
	add(layer: Layer): LayerHandle;
	/** Topmost first. */
	readonly topDown: readonly Layer[];
};

/** @param changed called after every addition, update and removal. */
export function createLayerStack(changed: () => void): LayerStack {
	const entries = new Set<Entry>();
	let nextOrder = 0;
	let sorted: readonly Layer[] | undefined;

	function touch(): void {
		sorted = undefined;
		changed();
	}

	return {
		add(layer) {
			const entry: Entry = {layer, order: nextOrder++};
			entries.add(entry);
			touch();
			return {
				update(next) {
					entry.layer = next;
					if (entries.has(entry)) touch();
				},
				remove() {
					if (entries.delete(entry)) touch();
				},
			};
		},
		get topDown() {
			sorted ??= sortTopDown([...entries]);
			return sorted;
		},
	};
}

function sortTopDown(entries: readonly Entry[]): readonly Layer[] {
	const byId = new Map(entries.map(entry => [entry.layer.id, entry]));

	/** Where the entry lies: its level and age, behind those of the layer it is a part of. */
	function place(entry: Entry, seen: readonly Entry[] = []): readonly number[] {
		const parent = entry.layer.within === undefined ? undefined : byId.get(entry.layer.within);
		if (parent === undefined || parent === entry || seen.includes(parent)) {
			return [levels.indexOf(entry.layer.level), entry.order];
		}
		return [...place(parent, [...seen, entry]), entry.order];
	}

	return entries
		.map(entry => ({layer: entry.layer, at: place(entry)}))
		.sort((a, b) => comparePlaces(b.at, a.at))
		.map(({layer}) => layer);
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
	for (const [index, value] of a.entries()) {
		const other = b[index];
		if (other === undefined) return 1;
		if (value !== other) return value - other;
	}
	return a.length - b.length;
}
