import {type ReactNode, useCallback, useMemo} from 'react';
import {Dialog} from '../../components/dialog.tsx';
import {useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useMouseArea, useRouter} from '../../input/react.tsx';
import type {Confirmation} from '../../store/state/user-state.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {printableLines} from '../../terminal/printable.ts';
import {dialogKeys} from './dialog-keys.ts';

type QuestionDialogProps = {readonly width: number; readonly height: number};

const widest = 72;

/** Asks before an action that costs or destroys. */
export function QuestionDialog(size: QuestionDialogProps): ReactNode {
	const explorer = useExplorer();
	const question = useExplorerState(state => state.question);
	const close = useCallback(() => explorer.update(asked(undefined)), [explorer]);
	return question === undefined ? null : <AskedQuestion {...size} question={question} close={close} />;
}

/** A question that closes once it is answered. */
export function AskedQuestion({
	question,
	close,
	width,
	height,
}: QuestionDialogProps & {readonly question: Confirmation; readonly close: () => void}): ReactNode {
	const {drawing} = useScreen();
	const router = useRouter();
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
					close();
					agree();
				},
			},
			{
				keys: ['n', 'esc', 'q', 'enter'],
				action: 'question.no',
				description: 'go back',
				category: 'Question',
				footer: 2,
				run: close,
			},
		],
		[close, yes, agree],
	);
	useBindings({id: 'question', level: 'dialog', modal: true, bindings});
	const wide = Math.min(widest, width);
	const words = lines
		.flatMap(line => printableLines(line, Math.max(1, wide - 4), drawing))
		.slice(0, Math.max(1, height - 5));
	const keys = dialogKeys(bindings, useKeyOf(bindings));
	const area = useMouseArea({
		id: 'question',
		level: 'dialog',
		within: 'question',
		press(row, column) {
			const action = row === words.length + 2 ? keys.actionAt(column) : undefined;
			if (action !== undefined) router.run(action);
		},
	});
	return (
		<Dialog
			title={title}
			width={wide}
			rows={[...words.map(line => ({segments: [' ', line]})), {segments: []}, keys.row]}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
