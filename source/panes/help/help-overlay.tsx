import {type ReactNode, useCallback, useMemo, useState} from 'react';
import {Dialog} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useMouseArea, useRouterSnapshot} from '../../input/react.tsx';
import {listStart, settled} from '../../store/list-position.ts';
import {overlaid} from '../../store/transitions.ts';
import {movementBindings, type Step, scrolling} from '../movement.ts';
import {helpLines} from './help-lines.ts';

type HelpOverlayProps = {readonly width: number; readonly height: number};

const widest = 72;

/** Every key that means something where the user is. */
export function HelpOverlay({width, height}: HelpOverlayProps): ReactNode {
	const explorer = useExplorer();
	const {drawing} = useScreen();
	const {commands} = useRouterSnapshot();
	const [top, setTop] = useState(0);

	const lines = useMemo(() => helpLines(commands, {unicode: !drawing.ascii}), [commands, drawing.ascii]);
	const rows = Math.max(1, Math.min(lines.length, height - 4));
	const last = Math.max(0, lines.length - rows);
	const scroll = useCallback(
		(step: Step) =>
			setTop(from => {
				const {selected} = step({selected: from, offset: from}, {count: lines.length, height: rows});
				return settled({...listStart, selected}, {count: last + 1, height: 1}).selected;
			}),
		[lines.length, rows, last],
	);
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
	const area = useMouseArea({
		id: 'help',
		level: 'dialog',
		within: 'help',
		wheel: by => scroll(scrolling(by)),
	});

	const from = Math.min(top, last);
	const aside = last > 0 ? `${from + 1}-${from + rows} of ${lines.length}` : '';
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
