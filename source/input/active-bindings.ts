import type {Binding} from './binding.ts';
import {typesText} from './key-name.ts';
import type {Layer, Level} from './layer-stack.ts';
import {effectiveKeys, type KeyOverrides} from './rebinding.ts';

/** A binding as the footer, the help overlay and the palette see it. */
export type ActiveBinding = {
	readonly layer: string;
	readonly level: Level;
	readonly action: string;
	readonly description: string;
	/** Its words in the footer. */
	readonly hint: string;
	readonly category: string | undefined;
	readonly footer: number | undefined;
	readonly isKept: boolean;
	readonly together: string | undefined;
	/** The keys that reach it now, each a chord of one key or more; none where others took them all. */
	readonly keys: readonly (readonly string[])[];
};

/**
 * Merges the bindings of layers, topmost first: a key belongs to the first that binds it, a field takes
 * every key that types text, and nothing below a modal layer is reached.
 *
 * @param layers topmost first.
 */
export function activeBindings(layers: readonly Layer[], overrides: KeyOverrides): readonly ActiveBinding[] {
	const taken = new Set<string>();
	const result: ActiveBinding[] = [];
	let isTextTaken = false;
	for (const layer of layers) {
		isTextTaken ||= layer.text !== undefined;
		for (const binding of layer.bindings) {
			if (binding.when !== undefined && !binding.when()) continue;
			const keys = effectiveKeys(binding, overrides).filter(chord => {
				const first = chord[0] ?? '';
				return !(
					taken.has(chord.join(' ')) ||
					(chord.length > 1 && taken.has(first)) ||
					(isTextTaken && typesText(first))
				);
			});
			for (const chord of keys) taken.add(chord.join(' '));
			result.push({
				layer: layer.id,
				level: layer.level,
				action: binding.action,
				description: binding.description,
				hint: binding.hint ?? binding.description,
				category: binding.category,
				footer: binding.footer,
				isKept: binding.isKept ?? false,
				together: binding.together,
				keys,
			});
		}
		if (layer.modal) break;
	}
	return result;
}

/** Finds the binding of an action, topmost layer first, that can be done now. */
export function findAction(layers: readonly Layer[], action: string): Binding | undefined {
	for (const layer of layers) {
		const binding = layer.bindings.find(
			candidate => candidate.action === action && (candidate.when === undefined || candidate.when()),
		);
		if (binding !== undefined) return binding;
	}
	return undefined;
}

/** True where two lists look the same on the screen. */
export function sameBindings(a: readonly ActiveBinding[], b: readonly ActiveBinding[]): boolean {
	return (
		a.length === b.length &&
		a.every((binding, index) => {
			const other = b[index];
			return (
				other !== undefined &&
				binding.layer === other.layer &&
				binding.action === other.action &&
				binding.description === other.description &&
				binding.hint === other.hint &&
				binding.category === other.category &&
				binding.footer === other.footer &&
				binding.keys.join('\n') === other.keys.join('\n')
			);
		})
	);
}
