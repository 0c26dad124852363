import {type ReactNode, useMemo} from 'react';
import {Dialog} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useScrolledLines} from '../../hooks/list-position.ts';
import type {ActiveBinding} from '../../input/active-bindings.ts';
import type {Binding} from '../../input/binding.ts';
import {showKeys} from '../../input/key-name.ts';
import {useBindings, useRouterSnapshot} from '../../input/react.tsx';
import {overlaid} from '../../store/state/transitions.ts';
import {movementBindings} from '../list/movement.ts';

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

const keysWidth = 20;

/** Everything that the screen offers, by category, a line an action with all its keys. */
function helpLines(
	commands: readonly ActiveBinding[],
	options: {unicode: boolean},
): readonly (readonly Segment[])[] {
	const categories = new Map<string, ActiveBinding[]>();
	for (const command of commands) {
		if (command.keys.length === 0) continue;
		const category = command.category ?? 'Anywhere';
		categories.set(category, [...(categories.get(category) ?? []), command]);
	}
	return [...categories].flatMap(([category, members], place) => [
		...(place === 0 ? [] : [[]]),
		[' ', {text: category, role: 'title' as const}],
		...members.map(({keys, description}): readonly Segment[] => {
			const shown = keys.map(chord => showKeys(chord, options)).join('  ');
			return [
				'  ',
				{text: shown, role: 'accent'},
				' '.repeat(Math.max(2, keysWidth - cellsOf(shown))),
				description,
			];
		}),
	]);
}
