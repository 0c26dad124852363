/** What the program itself tells a terminal, by the writer's and the session's own hands. */
const own = new RegExp(
	[
		'\\x1b\\[[\\d;]*[ABCDGHKLMmr]',
		'\\x1b\\[2J',
		'\\x1b\\[J',
		'\\x1b\\[E',
		'\\x1b\\[\\?(?:7|25|1000|1006|1049|2004|2026)[hl]',
		// Questions at the start: who are you, which keyboard, which background.
		'\\x1b\\[\\?u',
		'\\x1b\\[c',
		'\\x1b\\[>q',
		'\\x1b\\[>0q',
		'\\x1b\\[>1u',
		'\\x1b\\[<u',
		'\\x1b\\]11;\\?\\x1b\\\\',
		'\\x1b\\]8;;\\x1b\\\\',
	].join('|'),
	'g',
);

const esc = '\u001b';

/** Colours that no look of ours has. */
const strangeLooks = new RegExp(`${esc}\\[[\\d;]*(?:201|;99)[\\d;]*m`, 'g');

/** Control characters in what a program wrote that are not its own, each with what follows. */
export function foreignControls(output: string): readonly string[] {
	const strange = output.match(strangeLooks) ?? [];
	const rest = output.replaceAll(own, '');
	const found = rest.matchAll(/(?![\r\n\b])\p{Cc}.{0,20}/gsu);
	return [...strange, ...[...found].map(([text]) => JSON.stringify(text))].slice(0, 20);
}
