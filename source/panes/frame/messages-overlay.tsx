import {type ReactNode, useMemo} from 'react';
import type {DialogRow} from '../../components/dialog.tsx';
import {type KeyOf, useKeyOf} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import {useExplorer, useMessages} from '../../hooks/explorer.tsx';
import type {Message} from '../../store/state/notices.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {printableLines} from '../../terminal/printable.ts';
import {clockSeconds, counted} from '../../terminal/quantity.ts';
import {LinesDialog} from '../list/lines-dialog.tsx';
import {noticeSentence} from '../list/notice-rows.ts';

type MessagesOverlayProps = {readonly width: number; readonly height: number};

const widest = 96;

/** Lists all messages since the program began, newest first. */
export function MessagesOverlay(size: MessagesOverlayProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const messages = useMessages();
	const wide = Math.min(widest, size.width);
	const keyOf = useKeyOf();
	const lines = useMemo(
		() => messageRows(messages, wide - 2, {screen, keyOf}),
		[messages, wide, screen, keyOf],
	);
	const none: DialogRow = {segments: [' ', {text: 'No messages yet.', role: 'dim'}]};
	return (
		<LinesDialog
			id="messages"
			title="Messages"
			aside={messages.length === 0 ? '' : counted(messages.length, 'message')}
			widest={widest}
			{...size}
			lines={lines.length === 0 ? [none] : lines}
			keys={['esc', 'q', 'enter', '!']}
			close={() => explorer.update(overlaid(undefined))}
		/>
	);
}

const roles: Readonly<Record<Message['kind'], Role>> = {info: 'plain', warning: 'warning', error: 'bad'};

/** Cells before a sentence: a blank, the time, a sign. */
const leadWidth = 12;

/** Messages with their times, newest first, each wrapped and never cut. */
function messageRows(
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
