import {type ReactNode, useMemo} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import {useExplorer} from '../../hooks/explorer.tsx';
import type {ActiveBinding} from '../../input/active-bindings.ts';
import {showKeys} from '../../input/key-name.ts';
import {useRouterSnapshot} from '../../input/react.tsx';
import {overlaid} from '../../store/state/transitions.ts';
import {LinesDialog} from '../list/lines-dialog.tsx';

type HelpOverlayProps = {readonly width: number; readonly height: number};

/** Lists every key of the view and of the pane with the keyboard. */
export function HelpOverlay(size: HelpOverlayProps): ReactNode {
	const explorer = useExplorer();
	const {drawing} = useScreen();
	const {commands} = useRouterSnapshot();
	const lines = useMemo(
		() => helpLines(commands, {unicode: !drawing.ascii}).map(segments => ({segments})),
		[commands, drawing.ascii],
	);
	return (
		<LinesDialog
			id="help"
			title="Help"
			widest={72}
			{...size}
			lines={lines}
			keys={['esc', 'q', '?', 'enter']}
			close={() => explorer.update(overlaid(undefined))}
		/>
	);
}

const keysWidth = 20;

/** All actions by category, a line each with all its keys. */
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
