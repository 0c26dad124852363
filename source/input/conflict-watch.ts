import {findConflicts, type KeyOverrides} from './rebinding.ts';
import type {Router} from './router.ts';

/**
 * Tells of keys that the user's overrides take from other actions, or lose to them, each once: at the start for what is
 * on the screen then, and for the other panes as they come.
 */
export function watchConflicts(
	router: Pick<Router, 'layers' | 'subscribe'>,
	overrides: KeyOverrides,
	tell: (message: string) => void,
): void {
	if (Object.keys(overrides).length === 0) return;
	const told = new Set<string>();
	const look = () => {
		const bindings = router.layers.filter(({level}) => level !== 'dialog').flatMap(layer => layer.bindings);
		for (const {action, other, message} of findConflicts(bindings, overrides)) {
			// What is so without the user's doing is meant: a pane's esc goes before the view's.
			if (!Object.hasOwn(overrides, action) && !Object.hasOwn(overrides, other)) continue;
			if (told.has(message)) continue;
			told.add(message);
			tell(message);
		}
	};
	router.subscribe(look);
	look();
}
