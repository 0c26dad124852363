import {expect, test} from 'vitest';
import {printable} from '../../source/terminal/printable.ts';
import {textWidth} from '../../source/terminal/width.ts';
import {startInPty} from '../support/pty.ts';

test.each([
	'plain',
	'布を畳む',
	'😀❤️👍🏽🇩🇪1️⃣👩‍👩‍👧',
	'e\u0301o\u0308',
	'수건 각',
	'น้ำ',
	'ｶﾞ',
	'क्षि',
	'x\u202ey\u200bz',
])('%s takes the cells on the screen that are counted for it', async text => {
	const shown = printable(text);
	const program = startInPty('printf', ['%s|', shown], {cols: 60, rows: 3});
	await program.untilExit();
	const screen = await program.settled();
	expect(screen.cursor).toEqual({row: 0, column: textWidth(shown) + 1});
	expect(screen.rows[0]).toBe(`${shown}|`);
	expect(screen.find('|')).toEqual({row: 0, column: textWidth(shown)});
});
