import {createInterface} from 'node:readline/promises';
import type {InputEvent} from './input-event.ts';
import {createTtyInput} from './tty-input.ts';

/** The result of typing at a question. */
export type Typed =
	| {readonly kind: 'text'; readonly text: string}
	/** A key that moves the cursor or deletes, as the terminal sent it. */
	| {readonly kind: 'edit'; readonly sequence: string; readonly deletes: boolean}
	| {readonly kind: 'clear'}
	| {readonly kind: 'end'}
	| {readonly kind: 'give-up'};

/** Keys that edit the line, and whether they delete. */
const edits: Readonly<Record<string, boolean>> = {left: false, right: false, backspace: true, delete: true};

function typedBy(event: InputEvent): readonly Typed[] {
	if (event.type === 'paste') {
		const lines = event.text.split('\n').map((text): Typed => ({kind: 'text', text}));
		const parts = lines.flatMap((line, at): Typed[] => (at === 0 ? [line] : [{kind: 'end'}, line]));
		return parts.filter(part => part.kind !== 'text' || part.text !== '');
	}
	if (event.type !== 'key') return [];
	const {key, text, sequence} = event;
	if (key === 'enter') return [{kind: 'end'}];
	if (key === 'ctrl+c' || key === 'ctrl+d') return [{kind: 'give-up'}];
	if (key === 'ctrl+u') return [{kind: 'clear'}];
	const deletes = edits[key];
	if (deletes !== undefined) return [{kind: 'edit', sequence, deletes}];
	return text === '' ? [] : [{kind: 'text', text}];
}

/**
 * The result of a burst of keys and pastes, up to the end of the line. A line end before any text
 * ends nothing.
 *
 * @param isEmpty whether the line held nothing before.
 */
export function typedAt(events: readonly InputEvent[], isEmpty: boolean): readonly Typed[] {
	const all = events.flatMap(typedBy);
	const first = all.findIndex(({kind}) => kind !== 'end');
	const from = isEmpty && all[first]?.kind === 'text' ? first : 0;
	const typed: Typed[] = [];
	for (const part of all.slice(from)) {
		const last = typed.at(-1);
		if (part.kind === 'text' && last?.kind === 'text') {
			typed[typed.length - 1] = {kind: 'text', text: last.text + part.text};
		} else typed.push(part);
		if (part.kind === 'end' || part.kind === 'give-up') break;
	}
	return typed;
}

/** The keyboard while a question is asked: what is typed is not echoed, and is kept until it is listened to. */
export type Keyboard = {
	/** @param take given each burst. @param gone called when nothing will ever be typed again. */
	listen(take: (events: readonly InputEvent[]) => void, gone: () => void): void;
	/** Gives the terminal's own line editing back. */
	close(): void;
};

/** Takes the keyboard. From here on the terminal shows nothing of what is typed. */
export function openKeyboard(): Keyboard {
	let isGone = false;
	let notify = () => {};
	const input = createTtyInput(process.stdin, {
		ownKeys: {},
		replied: () => undefined,
		gone() {
			isGone = true;
			notify();
		},
	});
	input.start();
	return {
		listen(take, gone) {
			notify = gone;
			input.listen(take);
			if (isGone) gone();
		},
		close: input.stop,
	};
}

/**
 * Asks for a line and shows nothing of it: for a terminal on which nothing can be drawn.
 *
 * @returns undefined if the user gave up.
 */
export async function readHidden(question: string): Promise<string | undefined> {
	const keyboard = openKeyboard();
	process.stderr.write(question);
	try {
		return await new Promise(resolve => {
			let line = '';
			keyboard.listen(
				events => {
					for (const typed of typedAt(events, line === '')) {
						if (typed.kind === 'text') line += typed.text;
						else if (typed.kind === 'clear') line = '';
						else if (typed.kind === 'edit') line = typed.deletes ? [...line].slice(0, -1).join('') : line;
						else resolve(typed.kind === 'end' ? line : undefined);
					}
				},
				() => resolve(undefined),
			);
		});
	} finally {
		keyboard.close();
		process.stderr.write('\n');
	}
}

/** Asks for a line with the terminal's own line editing; undefined if the user gave up. */
export async function readLine(question: string): Promise<string | undefined> {
	const {stdin, stderr} = process;
	const lines = createInterface({input: stdin, output: stderr});
	const givenUp = new AbortController();
	lines.once('SIGINT', () => givenUp.abort());
	lines.once('close', () => givenUp.abort());
	try {
		return await lines.question(question, {signal: givenUp.signal});
	} catch (error) {
		if (!givenUp.signal.aborted) throw error;
		stderr.write('\n');
		return undefined;
	} finally {
		lines.close();
	}
}
