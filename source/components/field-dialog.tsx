import {type ReactNode, useMemo, useState} from 'react';
import {useLineField} from '../hooks/line-field.ts';
import type {Binding} from '../input/binding.ts';
import {useBindings} from '../input/react.tsx';
import {printableLines} from '../terminal/printable.ts';
import {Dialog} from './dialog.tsx';
import {fieldSegments} from './field.ts';
import {keyWords, useKeyOf} from './key-words.ts';
import {useScreen} from './screen.tsx';

type FieldDialogProps = {
	/** Names the layer and its actions. */
	readonly id: string;
	readonly title: string;
	/** Stands before the field. */
	readonly label: string;
	readonly initial: string;
	/** Why the text was refused; shown above the field until it changes. */
	readonly problem?: string | undefined;
	/** The effect of enter, in a few words. */
	readonly verb: string;
	readonly done: (typed: string) => void;
	readonly leave: () => void;
	readonly width: number;
	readonly height: number;
};

const widest = 70;

/** Asks for one line of text, such as a name or a file. */
export function FieldDialog(props: FieldDialogProps): ReactNode {
	const {id, title, label, initial, problem, verb, done, leave, width, height} = props;
	const screen = useScreen();
	const [typedSince, setTypedSince] = useState(false);
	const {field, now, type} = useLineField(initial, () => setTypedSince(true));
	const bindings = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['enter'],
				action: `${id}.done`,
				description: verb,
				category: title,
				footer: 1,
				run() {
					setTypedSince(false);
					done(now().text);
				},
			},
			{
				keys: ['esc'],
				action: `${id}.leave`,
				description: 'cancel',
				category: title,
				footer: 2,
				run: leave,
			},
		],
		[id, title, verb, done, leave, now],
	);
	useBindings({id, level: 'dialog', modal: true, bindings, text: type});
	const keyOf = useKeyOf(bindings);
	const wide = Math.min(widest, width);
	const shown = ` ${label}: `;
	const room = Math.max(1, wide - 2 - shown.length);
	const said =
		problem === undefined || typedSince ? [] : printableLines(problem, Math.max(1, wide - 4), screen.drawing);
	return (
		<Dialog
			title={title}
			aside={keyWords(keyOf, [[`${id}.done`, verb]]).join('')}
			width={wide}
			rows={[
				...said.map(text => ({segments: [' ', {text, role: 'bad'} as const]})),
				{segments: [{text: shown, role: 'focus'}, ...fieldSegments(field, room, screen)]},
			]}
			screenWidth={width}
			screenHeight={height}
		/>
	);
}
