import {type ReactNode, useMemo} from 'react';
import {Dialog} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useScrolledLines} from '../../hooks/scrolled-lines.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useRouterSnapshot} from '../../input/react.tsx';
import {overlaid} from '../../store/transitions.ts';
import {movementBindings} from '../movement.ts';
import {helpLines} from './help-lines.ts';

type HelpOverlayProps = {readonly width: number; readonly height: number};

const widest = 72;

/** Every key that means something where the user is. */
export function HelpOverlay({width, height}: HelpOverlayProps): ReactNode {
	const explorer = useExplorer();
	const {drawing} = useScreen();
	const {commands} = useRouterSnapshot();

	const lines = useMemo(() => helpLines(commands, {unicode: !drawing.ascii}), [commands, drawing.ascii]);
	const {from, rows, isWhole, scroll, area} = useScrolledLines('help', lines.length, height - 4);
	const bindings = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['esc', 'q', '?', 'enter'],
				action: 'help.close',
				description: 'close',
				category: 'Help',
				footer: 1,
				run: () => explorer.update(overlaid(undefined)),
			},
			...movementBindings({
				name: 'help',
				category: 'Help',
				noun: 'line',
				move: scroll,
			}),
		],
		[explorer, scroll],
	);
	useBindings({id: 'help', level: 'dialog', modal: true, bindings});
	const aside = isWhole ? '' : `${from + 1}-${from + rows} of ${lines.length}`;
	return (
		<Dialog
			title="Help"
			aside={aside}
			width={Math.min(widest, width)}
			rows={lines.slice(from, from + rows).map(segments => ({segments}))}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
