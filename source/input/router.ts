import type {InputEvent, KeyEvent, MouseEvent, PasteEvent} from '../terminal/input-event.ts';
import {type ActiveBinding, activeBindings, findAction, sameBindings} from './active-bindings.ts';
import {type Binding, pass} from './binding.ts';
import {createLayerStack, type Layer, type LayerHandle} from './layer-stack.ts';
import {effectiveKeys, findConflicts, type KeyOverrides} from './rebinding.ts';

/** Calls back once everything that the keys so far brought about is on its place (mounted, focused). */
export type Settle = (done: () => void) => void;

export type RouterSnapshot = {
	/** The bindings that can be reached now, topmost layer first: the footer. */
	readonly active: readonly ActiveBinding[];
	/** The keys of the screen without dialogs and fields over it, for help and palette. */
	readonly commands: readonly ActiveBinding[];
	/** The keys of a chord that has begun. */
	readonly pending: readonly string[];
};

/** The one dispatcher: input events in, the topmost layer that wants each of them is called. */
export type Router = {
	add(layer: Layer): LayerHandle;
	/**
	 * Takes events in order, each dispatched by itself. Within one call the rest waits for `settle` after
	 * a key whose binding is not `batch`.
	 */
	dispatch(events: InputEvent | readonly InputEvent[]): void;
	/** Runs an action by name, topmost layer first, dialogs or not; says whether anything offered it. */
	run(action: string): boolean;
	setOverrides(overrides: KeyOverrides): void;
	/**
	 * The keys that an action has, whether it can be done now or not; none where nothing offers it.
	 *
	 * @param own bindings that are looked at first, and may not have come to a layer yet.
	 */
	keysOf(action: string, own?: readonly Binding[]): readonly (readonly string[])[];
	/** The layers that take keys, topmost first. */
	readonly layers: readonly Layer[];
	/** Set by the renderer; without it nothing waits. */
	setSettle(settle: Settle | undefined): void;
	/** Called in a microtask after a change. */
	subscribe(listener: () => void): () => void;
	/** The same object until something that shows has changed. */
	getSnapshot(): RouterSnapshot;
};

/**
 * React renders in one turn of the event loop, runs the effects in the next, and what those set in a third: a key that
 * comes later need not ask. Turns and not time, as a slow render may hold the loop up for longer than any key takes.
 */
const turnsToSettle = 3;

function afterTurns(done: () => void, turns = turnsToSettle): void {
	setImmediate(() => (turns > 1 ? afterTurns(done, turns - 1) : done()));
}

const noSnapshot: RouterSnapshot = {active: [], commands: [], pending: []};

/** @param options.later calls back when what was set before must have been rendered. @default after three turns */
export function createRouter({later = afterTurns}: {later?: (done: () => void) => void} = {}): Router {
	const listeners = new Set<() => void>();
	const queue: InputEvent[] = [];
	let overrides: KeyOverrides = {};
	let settle: Settle | undefined;
	/** Which key brought something about that may not have been rendered yet; undefined when it has. */
	let unsettledBy: object | undefined;
	let isDraining = false;
	/** For React, or for what a key's binding needs: what comes meanwhile queues up behind. */
	let isWaiting = false;
	let pending: readonly string[] = [];
	let snapshot = noSnapshot;
	let isSnapshotStale = true;
	let isNotifying = false;

	const stack = createLayerStack(changed);

	function notify(): void {
		isNotifying = false;
		for (const listener of [...listeners]) listener();
	}

	/** One render updates many layers: its listeners are told once. */
	function changed(): void {
		isSnapshotStale = true;
		if (isNotifying) return;
		isNotifying = true;
		queueMicrotask(notify);
	}

	function setPending(keys: readonly string[]): void {
		if (pending.length === 0 && keys.length === 0) return;
		pending = keys;
		changed();
	}

	function unsettle(): void {
		const cause = {};
		unsettledBy = cause;
		later(() => {
			if (unsettledBy === cause) unsettledBy = undefined;
		});
	}

	/** Runs what a binding says; the key is consumed unless it declines. */
	function runBinding(binding: Binding, event: InputEvent): boolean {
		const ready = binding.ready?.();
		if (ready === undefined) return runNow(binding, event);
		wait(
			done => void ready.then(done, done),
			() => void runNow(binding, event),
		);
		return true;
	}

	function runNow(binding: Binding, event: InputEvent): boolean {
		if (!binding.batch) unsettle();
		return binding.run(event) !== pass;
	}

	/** Goes on with the queue behind `then`, once `until` calls back. */
	function wait(until: Settle, then: () => void): void {
		isWaiting = true;
		const goOn = () => {
			isWaiting = false;
			try {
				then();
			} finally {
				drain();
			}
		};
		until(once(goOn));
	}

	function offerText(layer: Layer, event: KeyEvent | PasteEvent): boolean {
		if (layer.text === undefined) return false;
		if (layer.batchText === false) unsettle();
		return layer.text(event) === true || event.type === 'paste' || event.text !== '';
	}

	/** Offers a key, or the chord that it ends, to one layer. */
	function offerKey(layer: Layer, chord: readonly string[], event: KeyEvent): boolean {
		if (layer.text !== undefined && event.text !== '') return offerText(layer, event);
		let beginsChord = false;
		for (const binding of layer.bindings) {
			if (binding.when !== undefined && !binding.when()) continue;
			for (const keys of effectiveKeys(binding, overrides)) {
				if (!chord.every((key, index) => key === keys[index])) continue;
				if (keys.length > chord.length) beginsChord = true;
				else if (runBinding(binding, event)) return true;
			}
		}
		if (beginsChord) {
			setPending(chord);
			return true;
		}
		return offerText(layer, event);
	}

	function offerChord(chord: readonly string[], event: KeyEvent): boolean {
		for (const layer of stack.topDown) {
			if (offerKey(layer, chord, event)) return true;
			if (layer.modal) return false;
		}
		return false;
	}

	function handleKey(event: KeyEvent): void {
		const begun = pending;
		setPending([]);
		if (begun.length > 0) {
			if (event.key === 'esc' || offerChord([...begun, event.key], event)) return;
		}
		offerChord([event.key], event);
	}

	function handleMouse(event: MouseEvent): void {
		for (const layer of stack.topDown) {
			if (layer.mouse?.(event) === true) {
				// A notch of the wheel moves a list and mounts nothing: many of them are one commit.
				if (!event.action.startsWith('wheel')) unsettle();
				return;
			}
			if (layer.modal) return;
		}
	}

	function handlePaste(event: PasteEvent): void {
		for (const layer of stack.topDown) {
			if (offerText(layer, event) || layer.modal) return;
		}
	}

	function handle(event: InputEvent): void {
		if (event.type === 'key') handleKey(event);
		else if (event.type === 'paste') handlePaste(event);
		else if (event.type === 'mouse') handleMouse(event);
	}

	function settled(): void {
		unsettledBy = undefined;
	}

	function drain(): void {
		if (isDraining) return;
		isDraining = true;
		try {
			for (let event = queue[0]; event !== undefined && !isWaiting; event = queue[0]) {
				if (settle !== undefined && unsettledBy !== undefined) wait(settle, settled);
				else {
					queue.shift();
					handle(event);
				}
			}
		} finally {
			isDraining = false;
		}
	}

	function computeSnapshot(): RouterSnapshot {
		const active = activeBindings(stack.topDown, overrides);
		const screen = stack.topDown
			.filter(layer => layer.level !== 'dialog')
			.map(({text: _text, modal: _modal, ...layer}) => layer);
		const commands = activeBindings(screen, overrides);
		return {
			active: sameBindings(active, snapshot.active) ? snapshot.active : active,
			commands: sameBindings(commands, snapshot.commands) ? snapshot.commands : commands,
			pending,
		};
	}

	return {
		add: stack.add,
		dispatch(events) {
			if (Array.isArray(events)) queue.push(...events);
			else queue.push(events as InputEvent);
			drain();
		},
		run(action) {
			const binding = findAction(stack.topDown, action);
			if (binding === undefined) return false;
			unsettle();
			binding.run();
			return true;
		},
		keysOf(action, own = []) {
			const offered = [own, ...stack.topDown.map(({bindings}) => bindings)].flat();
			const binding = offered.find(candidate => candidate.action === action);
			return binding === undefined ? [] : effectiveKeys(binding, overrides);
		},
		get layers() {
			return stack.topDown;
		},
		setOverrides(next) {
			overrides = next;
			changed();
		},
		setSettle(next) {
			settle = next;
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		getSnapshot() {
			if (isSnapshotStale) {
				isSnapshotStale = false;
				const next = computeSnapshot();
				const isSame =
					next.active === snapshot.active &&
					next.commands === snapshot.commands &&
					next.pending === snapshot.pending;
				if (!isSame) snapshot = next;
			}
			return snapshot;
		},
	};
}

function once(call: () => void): () => void {
	let isCalled = false;
	return () => {
		if (isCalled) return;
		isCalled = true;
		call();
	};
}

/**
 * Tells of keys that the user's overrides take from other actions, or lose to them, each once: at the start for what is
 * on the screen then, and for the other panes as they come.
 */
export function watchConflicts(
	router: Pick<Router, 'layers' | 'subscribe'>,
	overrides: KeyOverrides,
	notify: (message: string) => void,
): void {
	if (Object.keys(overrides).length === 0) return;
	const told = new Set<string>();
	const look = () => {
		const bindings = router.layers.filter(({level}) => level !== 'dialog').flatMap(layer => layer.bindings);
		for (const {action, other, message} of findConflicts(bindings, overrides)) {
			// A conflict among the defaults is intended: a pane's esc goes before the view's.
			if (!Object.hasOwn(overrides, action) && !Object.hasOwn(overrides, other)) continue;
			if (told.has(message)) continue;
			told.add(message);
			notify(message);
		}
	};
	router.subscribe(look);
	look();
}
