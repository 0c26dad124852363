const modifierOrder = ['ctrl', 'alt', 'shift', 'super'] as const;
export type Modifier = (typeof modifierOrder)[number];
export type Modifiers = ReadonlySet<Modifier>;

export const noModifiers: Modifiers = new Set();

const graphemes = new Intl.Segmenter('en', {granularity: 'grapheme'});

/** Whether this is one user-perceived character: what a key can type. */
export function isOneGrapheme(text: string): boolean {
	if (text.length === 1) return true;
	const first = graphemes.segment(text).containing(0);
	return first !== undefined && first.segment.length === text.length;
}

/**
 * The one spelling of a key with its modifiers, which decoder and bindings share: `ctrl+d`, `shift+tab`.
 * Shift goes into the character where it has an upper case (`G`, `alt+G`); with ctrl a letter is lower
 * case, as most terminals send the same byte for both.
 */
export function spellKey(base: string, modifiers: Modifiers): string {
	const held = new Set(modifiers);
	let name = base;
	if (isOneGrapheme(base)) {
		if (held.has('ctrl')) {
			name = base.toLowerCase();
		} else if (held.has('shift')) {
			const upper = base.toUpperCase();
			if (isOneGrapheme(upper)) name = upper;
			held.delete('shift');
		}
	}
	return [...modifierOrder.filter(modifier => held.has(modifier)), name].join('+');
}
