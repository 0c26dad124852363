import {type ReactNode, useMemo} from 'react';
import {Dialog} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {exactJson} from '../../contract/json-text.ts';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {shownRows} from '../../store/state/list-location.ts';
import {printable} from '../../terminal/printable.ts';
import {wrap} from '../../terminal/width.ts';
import {movementBindings} from '../list/movement.ts';

type RawDialogProps = {
	readonly body: unknown;
	readonly close: () => void;
	readonly width: number;
	readonly height: number;
};

const widest = 90;
/** More of a body is not laid out. */
const longest = 20_000;

/** A definition whose body is no filter, as it came. */
export function RawDialog({body, close, width, height}: RawDialogProps): ReactNode {
	const {drawing} = useScreen();
	const wide = Math.min(widest, width);
	const lines = useMemo(() => {
		const text = exactJson(body) ?? '';
		const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
		return wrap(printable(shown, drawing), Math.max(1, wide - 4));
	}, [body, drawing, wide]);
	const extent = {count: lines.length, height: Math.max(1, Math.min(lines.length, height - 6))};
	const {position, move} = useListPosition(extent);
	const bindings = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['esc', 'enter', 'q'],
				action: 'definition.close',
				description: 'back',
				category: 'Definition',
				footer: 1,
				run: close,
			},
			...movementBindings({name: 'definition', category: 'Definition', noun: 'line', move}),
		],
		[close, move],
	);
	useBindings({id: 'definition', level: 'dialog', modal: true, bindings});
	const {from, to} = shownRows(position, extent);
	const area = useListMouse({
		id: 'definition',
		level: 'dialog',
		within: 'definition',
		head: 1,
		from,
		count: to,
		chosen: undefined,
		move,
	});
	return (
		<Dialog
			title="This definition is not a filter; raw:"
			aside={lines.length > extent.height ? `${from + 1}-${to} of ${lines.length}` : ''}
			width={wide}
			rows={lines.slice(from, to).map(line => ({segments: [' ', line]}))}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
