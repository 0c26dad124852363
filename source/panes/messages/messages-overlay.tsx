import {type ReactNode, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useMessages} from '../../hooks/explorer.tsx';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {listStart, settled} from '../../store/list-position.ts';
import {overlaid} from '../../store/transitions.ts';
import {counted} from '../../terminal/quantity.ts';
import {movementBindings} from '../movement.ts';
import {messageRows} from './message-rows.ts';

type MessagesOverlayProps = {readonly width: number; readonly height: number};

const widest = 96;

/** What was said since the program began, newest first. */
export function MessagesOverlay({width, height}: MessagesOverlayProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const messages = useMessages();
	const [top, setTop] = useState(0);
	const wide = Math.min(widest, width);
	const lines = useMemo(() => messageRows(messages, wide - 2, screen), [messages, wide, screen]);
	const rows = Math.max(1, Math.min(lines.length, height - 4));
	const last = Math.max(0, lines.length - rows);
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
				move: step =>
					setTop(from => {
						const {selected} = step({selected: from, offset: from}, {count: lines.length, height: rows});
						return settled({...listStart, selected}, {count: last + 1, height: 1}).selected;
					}),
			}),
		],
		[explorer, lines.length, rows, last],
	);
	useBindings({id: 'messages', level: 'dialog', modal: true, bindings});
	const from = Math.min(top, last);
	const none: DialogRow = {segments: [' ', {text: 'Nothing was said so far.', role: 'dim'}]};
	return (
		<Dialog
			title="Messages"
			aside={messages.length === 0 ? '' : counted(messages.length, 'message')}
			width={wide}
			rows={lines.length === 0 ? [none] : lines.slice(from, from + rows)}
			screenWidth={width}
			screenHeight={height}
		/>
	);
}
