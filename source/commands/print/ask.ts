import {openKeyboard, readHidden, readLine} from '../../terminal/asked-line.ts';
import {drawingOn} from './output.ts';

/**
 * Asks for a line on the terminal; Ink draws the question where something can be drawn.
 *
 * @param options.isSecret shows `*` for each character, or nothing where nothing can be drawn. @default false
 * @returns undefined if the user gave up.
 */
export async function ask(
	question: string,
	{isSecret = false}: {isSecret?: boolean} = {},
): Promise<string | undefined> {
	if (drawingOn(process.stderr) === undefined) return isSecret ? readHidden(question) : readLine(question);
	// Before Ink is loaded: an answer that is typed at once must not be echoed either.
	const keyboard = openKeyboard();
	try {
		const {drawPrompt} = await import('./drawn-prompt.tsx');
		return await drawPrompt(question, {isSecret, keyboard});
	} finally {
		keyboard.close();
	}
}
