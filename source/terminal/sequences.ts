/** Sets how what follows looks (SGR). */
export function graphicRendition(...parameters: readonly (number | string)[]): string {
	return `\u001b[${parameters.join(';')}m`;
}

/** Erases from the cursor to the end of its line. */
export const eraseToLineEnd = '\u001b[K';
