const esc = '\u001b';

/** The bytes that have tmux pass a sequence on to its terminal (where `allow-passthrough` is on). */
export function throughTmux(sequence: string): string {
	return `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\`;
}
