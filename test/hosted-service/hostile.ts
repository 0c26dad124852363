/**
 * Strings that a service may send within the document's bounds and that a terminal would obey, hide or
 * misplace if they were printed as they are.
 */
export const hostileStrings: readonly string[] = [
	'\u001B[2J\u001B[Hcleared the screen',
	'\u001B]0;renamed the window\u0007',
	'\u001B]8;;https://attacker.example\u001B\\click me\u001B]8;;\u001B\\',
	'\u001B]52;c;c3RvbGVu\u0007wrote the clipboard',
	'\u001B[31mred without end',
	'\u001B[?1049lleft the alternate screen',
	'\u009B2Jcleared by C1',
	'\u0090q#0\u009Csixel',
	'two\nlines\r\nand a\rreturn',
	'tab\tstop and back\b\b\bspace',
	'nul\u0000 bell\u0007 del\u007F',
	'right-to-left \u202Eoverride\u202C and \u2066isolate\u2069',
	'zero\u200Bwidth\u200Djoined\uFEFFmark',
	'tags \u{E0041}\u{E0042}\u{E007F} unseen',
	'wide 机器人折叠毛巾 ロボット',
	'family 👩‍👩‍👧‍👦 flag 🇫🇷 skin 👍🏽',
	'combining Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L',
	'lone surrogate \uD83D end',
	`long ${'abcdefghij'.repeat(120)}`,
	'',
	'   ',
	'__proto__',
	'"quoted" \\back\\ , comma:colon',
	'../../etc/passwd',
];

/** The same, within the length that a field allows and never empty. */
export function hostile(position: number, max: number): string {
	const filled = hostileStrings.filter(value => value !== '' && [...value].length <= max);
	return filled[position % filled.length] ?? '\u001B[7m';
}
