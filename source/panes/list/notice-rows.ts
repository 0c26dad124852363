import {type KeyOf, keySentence} from '../../components/key-words.ts';
import type {Row} from '../../components/rows.tsx';
import type {Screen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import type {Notice} from '../../store/state/notices.ts';
import {printableLines} from '../../terminal/printable.ts';

const roles: Readonly<Record<Notice['kind'], Role>> = {info: 'accent', warning: 'warning', error: 'bad'};

/** A longer notice is cut: it would hide the panes. */
const mostRows = 4;

/** A notice with the key of its action. */
export function noticeSentence({text, way}: Notice, keyOf: KeyOf, {signs}: Pick<Screen, 'signs'>): string {
	if (way === undefined) return text;
	if (way.does === undefined) {
		const key = keyOf(way.action);
		return key === undefined ? text : `${text} ${signs.separator} ${key}`;
	}
	const can = keySentence(keyOf, [[way.action, way.does]]);
	return can === '' ? text : `${text} ${can}`;
}

/** A notice over as many rows as its sentence takes: the way out is often at its end. */
export function noticeRows(
	notice: Notice,
	width: number,
	{screen, keyOf}: {readonly screen: Screen; readonly keyOf: KeyOf},
): readonly Row[] {
	const {kind} = notice;
	const {signs, drawing} = screen;
	const sign = kind === 'info' ? signs.dot : kind === 'warning' ? signs.warning : signs.no;
	const lines = printableLines(noticeSentence(notice, keyOf, screen), Math.max(1, width - 4), drawing);
	// The last row takes the rest, and is cut with an ellipsis when it is drawn.
	const shown =
		lines.length <= mostRows ? lines : [...lines.slice(0, mostRows - 1), lines.slice(mostRows - 1).join(' ')];
	return shown.map(
		(line, place): Row => ({
			segments: [place === 0 ? ` ${sign} ` : '   ', line],
			look: roles[kind],
		}),
	);
}
