import type {DialogRow} from '../../components/dialog.tsx';
import type {Screen} from '../../components/screen.tsx';
import type {Role} from '../../components/style.ts';
import type {Message} from '../../store/notices/notice.ts';
import {printable} from '../../terminal/printable.ts';
import {clockSeconds} from '../../terminal/quantity.ts';
import {wrap} from '../../terminal/width.ts';

const roles: Readonly<Record<Message['kind'], Role>> = {info: 'plain', warning: 'warning', error: 'bad'};

/** Before a sentence: a blank, its moment, a sign. */
const leadWidth = 12;

/** Messages with their moments, newest first, each whole over as many rows as it takes. */
export function messageRows(
	messages: readonly Message[],
	width: number,
	{signs, drawing}: Screen,
): readonly DialogRow[] {
	return messages.toReversed().flatMap(({kind, text, at}) => {
		const sign = kind === 'info' ? signs.dot : kind === 'warning' ? signs.warning : signs.no;
		const lines = wrap(printable(text, drawing), Math.max(8, width - leadWidth - 1));
		return lines.map((line, row): DialogRow => {
			const lead =
				row === 0
					? [{text: ` ${clockSeconds(at)} `, role: 'dim'} as const, {text: `${sign} `, role: roles[kind]}]
					: [' '.repeat(leadWidth)];
			return {segments: [...lead, {text: line, role: roles[kind]}]};
		});
	});
}
