/** The names of keys that type nothing; a key that types text is named by that text. */
export const namedKeys = [
	'enter',
	'tab',
	'space',
	'esc',
	'backspace',
	'delete',
	'insert',
	'up',
	'down',
	'left',
	'right',
	'home',
	'end',
	'pageup',
	'pagedown',
	'begin',
	'menu',
	...Array.from({length: 24}, (_, index) => `f${index + 1}`),
] as const;

/** One key press. Releases are not reported: the decoder drops them. */
export type KeyEvent = {
	readonly type: 'key';
	/**
	 * The key with its modifiers, as bindings write it: `j`, `G`, `é`, `enter`, `ctrl+d`, `shift+tab`,
	 * `alt+enter`. Modifiers stand in the order ctrl, alt, shift, super; a shift that the text shows
	 * already (`G`, `?`) is left out.
	 */
	readonly key: string;
	/** The text of the key, one grapheme; empty for a key that types nothing. */
	readonly text: string;
	/** The bytes that came, decoded: what a component with a parser of its own is fed. */
	readonly sequence: string;
};

/** A bracketed paste, whole: its text is never read as keys. */
export type PasteEvent = {
	readonly type: 'paste';
	/** Line ends are `\n`; other control characters are as they came. */
	readonly text: string;
	/** More came than the decoder keeps; `text` is the beginning. */
	readonly truncated: boolean;
};

type MouseButton = 'left' | 'middle' | 'right' | 'none';

export type MouseEvent = {
	readonly type: 'mouse';
	readonly action:
		| 'press'
		| 'release'
		| 'drag'
		| 'move'
		| 'wheel-up'
		| 'wheel-down'
		| 'wheel-left'
		| 'wheel-right';
	readonly button: MouseButton;
	/** Cell, counted from 0 at the left. */
	readonly column: number;
	/** Cell, counted from 0 at the top. */
	readonly row: number;
	readonly ctrl: boolean;
	readonly alt: boolean;
	readonly shift: boolean;
};

/** The terminal's window got or lost the keyboard. */
type WindowFocusEvent = {readonly type: 'window-focus'; readonly focused: boolean};

/** The terminal's answer to a query of ours, perhaps long after; never a key. */
export type ReplyEvent = {
	readonly type: 'reply';
	readonly kind:
		| 'device-attributes'
		| 'cursor-position'
		| 'mode'
		| 'kitty-keyboard'
		| 'window'
		| 'osc'
		| 'dcs'
		| 'apc'
		| 'unknown';
	/** The sequence without its introducer and terminator; bounded. */
	readonly data: string;
};

export type InputEvent = KeyEvent | PasteEvent | MouseEvent | WindowFocusEvent | ReplyEvent;
