import type {Capabilities} from './capabilities.ts';

/** The colour behind the text: known from the environment, or a moment after the start from the terminal. */
export type Background = {
	get(): Capabilities['background'];
	subscribe(listener: () => void): () => void;
};

export function createBackground(initial: Capabilities['background']): Background & {
	set(shade: Capabilities['background']): void;
} {
	const listeners = new Set<() => void>();
	let known = initial;
	return {
		get: () => known,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		set(shade) {
			if (shade === known) return;
			known = shade;
			for (const listener of [...listeners]) listener();
		},
	};
}
