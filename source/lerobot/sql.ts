/** A name as SQL spells it. */
export function quotedIdentifier(name: string): string {
	return `"${name.replaceAll('"', '""')}"`;
}

/** A text as SQL spells it. */
export function quotedString(text: string): string {
	return `'${text.replaceAll("'", "''")}'`;
}
