import {type ReactNode, useMemo} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useMessages} from '../../hooks/explorer.tsx';
import {useScrolledLines} from '../../hooks/scrolled-lines.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
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
	const none: DialogRow = {segments: [' ', {text: 'Nothing was said so far.', role: 'dim'}]};
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
