import type {DialogRow} from '../../components/dialog.tsx';
import type {KeyOf} from '../../components/key-words.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Role} from '../../components/style.ts';
import type {Message} from '../../store/notices/notice.ts';
import {printableLines} from '../../terminal/printable.ts';
import {clockSeconds} from '../../terminal/quantity.ts';
import {noticeSentence} from '../footer/notice-rows.ts';

const roles: Readonly<Record<Message['kind'], Role>> = {info: 'plain', warning: 'warning', error: 'bad'};

/** Before a sentence: a blank, its moment, a sign. */
const leadWidth = 12;

/** Messages with their moments, newest first, each whole over as many rows as it takes. */
export function messageRows(
	messages: readonly Message[],
	width: number,
	{screen, keyOf}: {readonly screen: Screen; readonly keyOf: KeyOf},
): readonly DialogRow[] {
	const {signs, drawing} = screen;
	return messages.toReversed().flatMap(message => {
		const {kind, at} = message;
		const sign = kind === 'info' ? signs.dot : kind === 'warning' ? signs.warning : signs.no;
		const lines = printableLines(
			noticeSentence(message, keyOf, screen),
			Math.max(8, width - leadWidth - 1),
			drawing,
		);
		return lines.map((line, row): DialogRow => {
			const lead =
				row === 0
					? [{text: ` ${clockSeconds(at)} `, role: 'dim'} as const, {text: `${sign} `, role: roles[kind]}]
					: [' '.repeat(leadWidth)];
			return {segments: [...lead, {text: line, role: roles[kind]}]};
		});
	});
}
