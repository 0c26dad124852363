import {expect, test} from 'vitest';
import {createScreen} from '../../../source/components/screen.tsx';
import {renderLine, type Segment} from '../../../source/components/segment.ts';
import {signsFor} from '../../../source/components/signs.ts';
import {noticeRows, noticeSentence} from '../../../source/panes/list/notice-rows.ts';

const drawing = {colour: false, attributes: false, ascii: false};
const screen = createScreen(drawing, signsFor({unicode: true}));

function drawn(text: string, width: number): readonly string[] {
	const rows = noticeRows({id: 1, kind: 'error', text}, width, {screen, keyOf: () => undefined});
	return rows.map(({segments}: {segments: readonly Segment[]}) => renderLine(segments, width, drawing));
}

test('a short notice takes one row, a longer one as many as it needs', () => {
	expect(drawn('so101 was not taken in', 40)).toEqual([' ✗ so101 was not taken in']);
	expect(drawn('so101 was not taken in: no space left', 20)).toEqual([
		' ✗ so101 was not',
		'   taken in: no',
		'   space left',
	]);
});

test('a notice that would fill the screen is cut, with an ellipsis', () => {
	const rows = drawn('word '.repeat(200), 20);
	expect(rows).toHaveLength(4);
	expect(rows.at(-1)).toMatch(/…$/);
	expect(drawn('a\u001b[31mb\n', 20).join('')).not.toContain('\u001b');
});

test('the way out is named with the user’s own key for it, or left out without one', () => {
	const way = {action: 'app.mouse', does: 'takes it back'};
	const notice = {id: 1, kind: 'info', text: 'The mouse is the terminal’s.', way} as const;
	expect(noticeSentence(notice, action => (action === 'app.mouse' ? 'f8' : undefined), screen)).toBe(
		'The mouse is the terminal’s. f8 takes it back.',
	);
	expect(noticeSentence(notice, () => undefined, screen)).toBe('The mouse is the terminal’s.');
});

test('the undo key stands behind the notice, in ASCII where the terminal has no more', () => {
	const notice = {id: 1, kind: 'info', text: '27 rejected', way: {action: 'review.undo'}} as const;
	const plain = createScreen({...drawing, ascii: true}, signsFor({unicode: false}));
	expect(noticeSentence(notice, () => 'u', screen)).toBe('27 rejected · u');
	expect(noticeSentence(notice, () => 'u', plain)).toBe('27 rejected - u');
	expect(noticeSentence(notice, () => undefined, screen)).toBe('27 rejected');
});
