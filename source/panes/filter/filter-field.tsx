import {type ReactNode, useMemo, useState} from 'react';
import {fieldSegments} from '../../components/field.ts';
import {Line} from '../../components/line.tsx';
import {type Row, Rows} from '../../components/rows.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useLineField} from '../../hooks/line-field.ts';
import type {Binding} from '../../input/binding.ts';
import {lineField} from '../../input/line-field.ts';
import {lineWindow} from '../../input/line-window.ts';
import {useBindings} from '../../input/react.tsx';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import type {QueryProblem} from '../../query/problem.ts';
import {edited} from '../../store/transitions.ts';
import type {KeyEvent, PasteEvent} from '../../terminal/input-event.ts';
import {printable} from '../../terminal/printable.ts';
import {textWidth, wrap} from '../../terminal/width.ts';

const prompt = ' / ';

/** The filter while it is typed: Enter applies it, Esc leaves it as it was; what cannot be read is pointed at. */
export function FilterField({width}: {readonly width: number}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const [problem, setProblem] = useState<QueryProblem | undefined>(undefined);
	const before = print(explorer.state.getState().filter);
	// With a filter there, one more term is what is typed most.
	const {field, now, type} = useLineField(before === '' ? '' : `${before} `);
	const bindings = useMemo<readonly Binding[]>(
		() => [
			{
				keys: ['enter'],
				action: 'filter.apply',
				description: 'apply the filter',
				category: 'Filter',
				footer: 1,
				run() {
					const read = parse(now().text);
					if (!read.ok) return setProblem(read.problems[0]);
					explorer.filterBy(read.filter);
					explorer.update(edited(undefined));
				},
			},
			{
				keys: ['esc'],
				action: 'filter.leave',
				description: 'leave it as it was',
				category: 'Filter',
				footer: 2,
				run: () => explorer.update(edited(undefined)),
			},
		],
		[explorer, now],
	);
	function capture(event: KeyEvent | PasteEvent): boolean {
		setProblem(undefined);
		return type(event);
	}
	useBindings({id: 'filter', level: 'dialog', modal: true, bindings, text: capture});

	const room = width - prompt.length;
	return (
		<>
			<Line segments={[{text: prompt, role: 'focus'}, ...fieldSegments(field, room, screen)]} width={width} />
			{problem === undefined ? null : <ProblemLines problem={problem} text={field.text} width={width} />}
		</>
	);
}

/** The sentence about a problem under the place that it is about, over as many lines as it takes. */
function ProblemLines({
	problem,
	text,
	width,
}: {
	problem: QueryProblem;
	text: string;
	width: number;
}): ReactNode {
	const {drawing, signs} = useScreen();
	const {column} = lineWindow(
		{...lineField(text), caret: problem.offset},
		Math.max(1, width - prompt.length - 2),
		drawing,
	);
	const at = Math.min(prompt.length + column, width - 1);
	const pointer = ' '.repeat(at) + signs.up;
	const message = printable(problem.message, drawing);
	const lines =
		at + 2 + textWidth(message) <= width
			? [`${pointer} ${message}`]
			: [pointer, ...wrap(message, width - 2).map(line => ` ${line}`)];
	const rows = lines.map((line): Row => ({segments: [{text: line, role: 'bad'}], look: 'plain'}));
	return <Rows rows={rows} width={width} />;
}
