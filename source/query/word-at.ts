import {Scanner} from './scanner.ts';
import type {Span} from './term.ts';

/**
 * The word of a filter line that the caret stands in or at the end of: from one space outside quotes to the next. An
 * empty one at the caret where there is none. An unclosed quote reaches to the end of the line.
 */
export function wordAt(text: string, caret: number): Span {
	const scanner = new Scanner(text);
	for (scanner.skipSpace(); !scanner.ended; scanner.skipSpace()) {
		const start = scanner.at;
		if (caret < start) break;
		scanner.skipWord(start);
		if (caret <= scanner.at) return {start, end: scanner.at};
	}
	return {start: caret, end: caret};
}
