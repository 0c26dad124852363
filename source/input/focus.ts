/** Which pane has the keyboard. It moves when told to, and by itself only when its pane is gone. */
export type Focus = {
	/** The focused pane, or undefined where there is none to focus. */
	getSnapshot(): string | undefined;
	subscribe(listener: () => void): () => void;
	/** Says which panes there are, in the order that `next` walks them. */
	setRing(panes: readonly string[]): void;
	/** Focuses a pane of the ring; one that is not there yet is focused once it comes, unless another is chosen first. */
	focus(pane: string): void;
	next(): void;
	previous(): void;
};

/** @param initial the pane that is to have the focus as soon as it is there. */
export function createFocus(initial?: string): Focus {
	const listeners = new Set<() => void>();
	let ring: readonly string[] = [];
	let focused: string | undefined;
	let awaited = initial;

	function set(pane: string | undefined): void {
		if (pane === focused) return;
		focused = pane;
		for (const listener of [...listeners]) listener();
	}

	function step(by: 1 | -1): void {
		awaited = undefined;
		if (ring.length === 0) return;
		const at = focused === undefined ? (by === 1 ? -1 : 0) : ring.indexOf(focused);
		set(ring[(at + by + ring.length) % ring.length]);
	}

	return {
		getSnapshot: () => focused,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		setRing(panes) {
			const before = ring;
			ring = [...panes];
			if (awaited !== undefined && ring.includes(awaited)) {
				const pane = awaited;
				awaited = undefined;
				set(pane);
			} else if (focused === undefined || !ring.includes(focused)) {
				set(neighbour(before, ring, focused));
			}
		},
		focus(pane) {
			awaited = ring.includes(pane) ? undefined : pane;
			if (awaited === undefined) set(pane);
		},
		next: () => step(1),
		previous: () => step(-1),
	};
}

/** The heir of a pane that is gone: the nearest pane before it that is left, else the first. */
function neighbour(
	before: readonly string[],
	after: readonly string[],
	gone: string | undefined,
): string | undefined {
	const at = gone === undefined ? -1 : before.indexOf(gone);
	const left = before.slice(0, Math.max(at, 0)).findLast(pane => after.includes(pane));
	return left ?? after[0];
}
