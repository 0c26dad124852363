import {type ReactNode, useMemo} from 'react';
import {Dialog} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import type {Binding} from '../../input/binding.ts';
import {useBindings} from '../../input/react.tsx';
import type {Question} from '../../store/explorer-state.ts';
import {asked} from '../../store/view-transitions.ts';
import {printable} from '../../terminal/printable.ts';
import {wrap} from '../../terminal/width.ts';

type QuestionDialogProps = {readonly width: number; readonly height: number};

const widest = 72;

/** Asks before something is done that costs or destroys. */
export function QuestionDialog(size: QuestionDialogProps): ReactNode {
	const question = useExplorerState(state => state.question);
	return question === undefined ? null : <AskedQuestion {...size} question={question} />;
}

function AskedQuestion({
	question,
	width,
	height,
}: QuestionDialogProps & {readonly question: Question}): ReactNode {
	const explorer = useExplorer();
	const {drawing} = useScreen();
	const {title, lines, yes, agree} = question;
	const bindings = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['y'],
				action: 'question.yes',
				description: yes,
				category: 'Question',
				footer: 1,
				run() {
					explorer.update(asked(undefined));
					agree();
				},
			},
			{
				keys: ['n', 'esc', 'q', 'enter'],
				action: 'question.no',
				description: 'leave it',
				category: 'Question',
				footer: 2,
				run: () => explorer.update(asked(undefined)),
			},
		],
		[explorer, yes, agree],
	);
	useBindings({id: 'question', level: 'dialog', modal: true, bindings});
	const wide = Math.min(widest, width);
	const words = lines.flatMap(line => wrap(printable(line, drawing), Math.max(1, wide - 4)));
	return (
		<Dialog
			title={title}
			width={wide}
			rows={[
				...words.slice(0, Math.max(1, height - 5)).map(line => ({segments: [' ', line]})),
				{segments: []},
				{
					segments: [
						' ',
						{text: 'y', role: 'accent'},
						` ${yes}   `,
						{text: 'n', role: 'accent'},
						' leave it',
					],
				},
			]}
			screenWidth={width}
			screenHeight={height}
		/>
	);
}
