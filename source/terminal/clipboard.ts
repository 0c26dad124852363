import {spawn} from 'node:child_process';
import type {Capabilities} from './capabilities.ts';
import {grouped} from './quantity.ts';

/**
 * The longest text that is given to a terminal, in bytes: its base64 and the sequence around it stay within
 * the 100,000 bytes that terminals are known to read of one sequence.
 */
export const longestCopy = 74_994;

/** screen reads no more of one passed string than 768 bytes, its own frame included. */
const screenChunk = 700;

const esc = '\u001b';
const stringEnd = `${esc}\\`;

/**
 * The bytes that put a text on the clipboard of the user's own terminal (xterm's OSC 52), through what lies between.
 *
 * tmux takes OSC 52 itself where `set-clipboard` is on, and passes it on where `allow-passthrough` is; it ignores
 * what it does not take. What calls itself `screen` may be tmux on another machine, which ignores screen's way.
 */
export function clipboardSequence(
	text: string,
	{multiplexer}: {readonly multiplexer: Capabilities['multiplexer']},
): string {
	// BEL ends it: the other end, ESC \, would end the string of the multiplexer around it.
	const own = `${esc}]52;c;${Buffer.from(text).toString('base64')}\u0007`;
	if (multiplexer === 'tmux') return `${own}${esc}Ptmux;${own.replaceAll(esc, esc + esc)}${stringEnd}`;
	if (multiplexer === 'screen')
		return (
			own +
			chunks(own)
				.map(chunk => `${esc}P${chunk}${stringEnd}`)
				.join('')
		);
	return own;
}

function chunks(text: string): readonly string[] {
	const count = Math.ceil(text.length / screenChunk);
	return Array.from({length: count}, (_, at) => text.slice(at * screenChunk, (at + 1) * screenChunk));
}

/** How a copy went, as a sentence for the user. */
type CopyReport = {readonly kind: 'info' | 'warning' | 'error'; readonly text: string};

/** Copies a text, which is called `what` in what is said of it. */
export type Copy = (text: string, what: string) => Promise<CopyReport>;

type CopyOptions = {
	readonly capabilities: Pick<Capabilities, 'clipboard' | 'multiplexer'>;
	/** Sends bytes to the terminal, between two frames. */
	readonly send: (bytes: string) => void;
	/** Keeps the text in a file. @returns the file, as people read it. @throws where it can't be written. */
	readonly keep: (text: string) => Promise<string>;
	/** Gives the text to the tmux that this runs in. @returns whether it took it. @default its own command */
	readonly giveTmux?: (text: string) => Promise<boolean>;
};

/**
 * No terminal answers to a copy. So where it is not known to take one, the text is also kept in a file, and the
 * sentence names it.
 */
export function createCopy({capabilities, send, keep, giveTmux = loadTmuxBuffer}: CopyOptions): Copy {
	return async (text, what) => {
		const bytes = Buffer.byteLength(text);
		const isTooLong = bytes > longestCopy;
		if (capabilities.clipboard !== 'none' && !isTooLong) send(clipboardSequence(text, capabilities));
		const isWithTmux = capabilities.clipboard === 'tmux' && !isTooLong && (await giveTmux(text));
		if (isWithTmux) return {kind: 'info', text: `Copied ${what}; tmux has it too (prefix ]).`};
		if (capabilities.clipboard === 'known' && !isTooLong) return {kind: 'info', text: `Copied ${what}.`};
		const place = await locationOf(text, keep);
		if (isTooLong) {
			const sizes = `${grouped(bytes)} bytes, a terminal takes ${grouped(longestCopy)}`;
			return {kind: 'warning', text: `Too long to copy (${sizes}): ${what}. ${place}`};
		}
		if (capabilities.clipboard === 'none') {
			return {kind: 'warning', text: `This terminal has no way to copy ${what}. ${place}`};
		}
		return {kind: 'info', text: `Copied ${what}, if this terminal takes it (OSC 52). ${place}`};
	};
}

async function locationOf(text: string, keep: CopyOptions['keep']): Promise<string> {
	try {
		return `It is in ${await keep(text)}.`;
	} catch (error) {
		return `It could not be kept in a file either: ${error instanceof Error ? error.message : String(error)}.`;
	}
}

/** tmux's own command is slow to come back only where its server hangs. */
const tmuxWithinMs = 2000;

/**
 * Puts a text into tmux's buffer and, from there, on the clipboard of the terminal that is attached (`-w`, tmux 3.2).
 * As Debian ships it, tmux takes no OSC 52 from a program and passes none on, but takes this.
 */
function loadTmuxBuffer(text: string): Promise<boolean> {
	return new Promise(resolve => {
		const child = spawn('tmux', ['load-buffer', '-w', '-'], {
			stdio: ['pipe', 'ignore', 'ignore'],
			timeout: tmuxWithinMs,
		});
		child.once('error', () => resolve(false));
		child.once('close', code => resolve(code === 0));
		// It may have ended before it read anything.
		child.stdin.once('error', () => undefined);
		child.stdin.end(text);
	});
}
