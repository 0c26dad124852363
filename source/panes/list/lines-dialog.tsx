import type {ReactNode} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {useScrolledLines} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import {movementBindings} from './movement.ts';

type LinesDialogProps = {
	/** Name of the modal layer, and the first part of its actions' names. */
	readonly id: string;
	readonly title: string;
	/** Heading of its keys in the help. @default the title */
	readonly category?: string;
	/** Shown at the right of the title; without it, which of the lines show when they do not all fit. */
	readonly aside?: string;
	readonly widest: number;
	readonly width: number;
	readonly height: number;
	readonly lines: readonly DialogRow[];
	/** Keys that close it. */
	readonly keys: readonly string[];
	readonly verb?: string;
	readonly close: () => void;
};

/** Lines to read and scroll through: the help, the messages, a raw definition. */
export function LinesDialog(props: LinesDialogProps): ReactNode {
	const {
		id,
		title,
		category = title,
		aside,
		widest,
		width,
		height,
		lines,
		keys,
		verb = 'close',
		close,
	} = props;
	const {from, rows, isWhole, scroll, area} = useScrolledLines(id, lines.length, height - 4);
	const bindings: readonly Binding[] = [
		{keys, action: `${id}.close`, description: verb, category, footer: 1, run: close},
		...movementBindings({name: id, category, noun: 'line', move: scroll}),
	];
	useBindings({id, level: 'dialog', modal: true, bindings});
	const shown = isWhole ? '' : `${from + 1}-${from + rows} of ${lines.length}`;
	return (
		<Dialog
			title={title}
			aside={aside ?? shown}
			width={Math.min(widest, width)}
			rows={lines.slice(from, from + rows)}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
