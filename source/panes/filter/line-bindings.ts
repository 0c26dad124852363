import type {Binding} from '../../input/binding.ts';
import {complete} from '../../query/complete.ts';
import {parse} from '../../query/parse.ts';
import {print} from '../../query/print.ts';
import type {Completion} from '../../query/term.ts';
import type {Explorer} from '../../store/explorer.ts';
import {edited as editingChanged} from '../../store/state/transitions.ts';
import {
	askedFor,
	chose,
	isListShown,
	type LineEditor,
	putAway,
	recalledLine,
	refused,
	took,
} from './line-editor.ts';

type Line = {
	readonly explorer: Explorer;
	readonly now: () => LineEditor;
	readonly change: (step: (editor: LineEditor) => LineEditor) => void;
};

const category = 'Filter line';

/** A page of the list. */
const pageRows = 7;

/** The keys that type nothing: complete, recall earlier lines, apply, leave. */
export function lineBindings({explorer, now, change}: Line): readonly Binding[] {
	const {filterLine} = explorer;
	const completion = (): Completion => {
		const {text, caret} = now().field;
		return complete(text, caret, filterLine.offered());
	};
	const close = () => explorer.update(editingChanged(undefined));
	const take = (place: number): boolean => {
		const {span, candidates} = completion();
		const candidate = candidates[place];
		if (candidate === undefined) return false;
		change(editor => took(editor, span, candidate));
		return true;
	};
	const choose = (by: number) => change(editor => chose(editor, by, completion().candidates.length));
	const recall = (by: 1 | -1) =>
		filterLine.history.withRecalled(lines => change(editor => recalledLine(editor, by, lines)));
	const hasList = () => isListShown(now()) && completion().candidates.length > 0;

	return [
		{
			keys: ['enter'],
			action: 'filter.apply',
			description: 'apply',
			category,
			footer: 1,
			run() {
				const {chosen, field} = now();
				if (chosen !== undefined && take(chosen)) return;
				const read = parse(field.text);
				if (read.ok) filterLine.apply(read.filter, close);
				else change(refused);
			},
		},
		{
			keys: ['esc'],
			action: 'filter.leave',
			description: 'cancel',
			category,
			footer: 2,
			run() {
				if (now().chosen !== undefined) return change(putAway);
				const {text} = now().field;
				const isApplied = text.trim() === print(explorer.state.getState().filter);
				filterLine.leave(isApplied ? '' : text);
				close();
			},
		},
		{
			keys: ['tab'],
			action: 'filter.complete',
			description: 'complete',
			category,
			footer: 3,
			run() {
				if (hasList() || now().chosen !== undefined) take(now().chosen ?? 0);
				else change(askedFor);
			},
		},
		{
			keys: ['down'],
			action: 'filter.choose-next',
			description: 'choose',
			category,
			footer: 4,
			batch: true,
			run() {
				if (now().recalled !== undefined) recall(-1);
				else choose(1);
			},
		},
		{
			keys: ['up'],
			action: 'filter.choose-previous',
			description: 'earlier lines',
			category,
			footer: 5,
			batch: true,
			run() {
				if (now().chosen === undefined) recall(1);
				else choose(-1);
			},
		},
		{
			keys: ['shift+tab'],
			action: 'filter.choose-back',
			description: 'previous suggestion',
			category,
			batch: true,
			run: () => choose(-1),
		},
		{
			keys: ['pagedown'],
			action: 'filter.choose-page-down',
			description: 'next suggestion',
			category,
			batch: true,
			run: () => choose(pageRows),
		},
		{
			keys: ['pageup'],
			action: 'filter.choose-page-up',
			description: 'previous suggestion',
			category,
			batch: true,
			run: () => choose(-pageRows),
		},
		{
			keys: ['ctrl+p'],
			action: 'filter.earlier',
			description: 'the line before',
			category,
			batch: true,
			run: () => recall(1),
		},
		{
			keys: ['ctrl+n'],
			action: 'filter.later',
			description: 'the line after',
			category,
			batch: true,
			run: () => recall(-1),
		},
	];
}
