import {type Layer, levels} from './layer.ts';

type Entry = {layer: Layer; readonly order: number};

/** Handed to whoever adds a layer, to change or take away that one. */
export type LayerHandle = {
	/** Replaces what the layer says; it keeps its place. */
	update(layer: Layer): void;
	remove(): void;
};

/** The layers that want keys, in order. */
export type LayerStack = {
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
