import {type ReactNode, useMemo} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {type KeyOf, useKeyOf} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {Role} from '../../components/theme.ts';
import {useExplorer, useMessages} from '../../hooks/explorer.tsx';
import {useScrolledLines} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import type {Message} from '../../store/state/notices.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {printableLines} from '../../terminal/printable.ts';
import {clockSeconds, counted} from '../../terminal/quantity.ts';
import {movementBindings} from '../list/movement.ts';
import {noticeSentence} from '../list/notice-rows.ts';

type MessagesOverlayProps = {readonly width: number; readonly height: number};

const widest = 96;

/** What was said since the program began, newest first. */
export function MessagesOverlay({width, height}: MessagesOverlayProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const messages = useMessages();
	const wide = Math.min(widest, width);
	const keyOf = useKeyOf();
	const lines = useMemo(
		() => messageRows(messages, wide - 2, {screen, keyOf}),
		[messages, wide, screen, keyOf],
	);
	const {from, rows, scroll, area} = useScrolledLines('messages', lines.length, height - 4);
	const bindings = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['esc', 'q', 'enter', '!'],
				action: 'messages.close',
				description: 'close',
				category: 'Messages',
				footer: 1,
				run: () => explorer.update(overlaid(undefined)),
			},
			...movementBindings({
				name: 'messages',
				category: 'Messages',
				noun: 'line',
				move: scroll,
			}),
		],
		[explorer, scroll],
	);
	useBindings({id: 'messages', level: 'dialog', modal: true, bindings});
	const none: DialogRow = {segments: [' ', {text: 'No messages yet.', role: 'dim'}]};
	return (
		<Dialog
			title="Messages"
			aside={messages.length === 0 ? '' : counted(messages.length, 'message')}
			width={wide}
			rows={lines.length === 0 ? [none] : lines.slice(from, from + rows)}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}

const roles: Readonly<Record<Message['kind'], Role>> = {info: 'plain', warning: 'warning', error: 'bad'};

/** Before a sentence: a blank, its moment, a sign. */
const leadWidth = 12;

/** Messages with their moments, newest first, each whole over as many rows as it takes. */
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
