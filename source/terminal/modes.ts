/** The modes that are on while the screen is ours, each with the sequence that ends it. */
type Mode = {readonly on: string; readonly off: string};

const alternateScreen: Mode = {on: '\u001b[?1049h', off: '\u001b[?1049l'};
const hiddenCursor: Mode = {on: '\u001b[?25l', off: '\u001b[?25h'};
const bracketedPaste: Mode = {on: '\u001b[?2004h', off: '\u001b[?2004l'};
/** Buttons and the wheel (1000), told by numbers that know no edge (1006). */
export const mouseReports: Mode = {on: '\u001b[?1000h\u001b[?1006h', off: '\u001b[?1006l\u001b[?1000l'};
/** Keys that old encodings confuse are told apart: escape by itself is a sequence, and need not be waited for. */
export const kittyKeys: Mode = {on: '\u001b[>1u', off: '\u001b[<u'};

/** Text at the right edge stays in its row, however wide the terminal thinks it is. */
const noWrap: Mode = {on: '\u001b[?7l', off: '\u001b[?7h'};

/** The terminal's stack of titles: what it was called before comes back, whatever that was. */
const ownTitle: Mode = {on: '\u001b[22;2t', off: '\u001b[23;2t'};

/** Ends what a frame cut short may have left open: synchronized output, a link, colours. */
const endFrame = '\u001b[?2026l\u001b]8;;\u001b\\\u001b[0m';

/** Erases the screen and goes to its first cell: whatever is there, the next frame starts from nothing. */
export const eraseScreen = '\u001b[0m\u001b[H\u001b[2J';

/** Which modes are wanted of a terminal that can be addressed. */
export type WantedModes = {
	readonly isAlternate: boolean;
	readonly isByCells: boolean;
	readonly hasTitle: boolean;
	readonly mouse: boolean;
	readonly kitty: boolean;
};

type ScreenModes = {readonly enter: string; readonly leave: string};

/**
 * The bytes that take the screen and give it back, in reverse order: what belongs to the alternate
 * screen (the kitty protocol keeps a stack a screen) is undone while it is still there, and the cursor is
 * shown last, on the user's own screen.
 */
export function screenModes({isAlternate, isByCells, hasTitle, mouse, kitty}: WantedModes): ScreenModes {
	const modes = [
		...(hasTitle ? [ownTitle] : []),
		...(isAlternate ? [hiddenCursor, alternateScreen] : []),
		bracketedPaste,
		...(isByCells ? [noWrap] : []),
		...(mouse ? [mouseReports] : []),
		...(kitty ? [kittyKeys] : []),
	];
	return {
		enter: modes.map(({on}) => on).join('') + (isAlternate ? eraseScreen : ''),
		leave:
			endFrame +
			modes
				.toReversed()
				.map(({off}) => off)
				.join(''),
	};
}
