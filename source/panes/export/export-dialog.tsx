import {type ReactNode, useMemo, useRef, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {FieldDialog} from '../../components/field-dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useSelectionKnown} from '../../hooks/explorer.tsx';
import {useListMouse, useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useRouter} from '../../input/react.tsx';
import type {ExportTarget} from '../../store/export/exporter.ts';
import type {Question} from '../../store/state/explorer-state.ts';
import {isNothing} from '../../store/state/selection.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {printableLines} from '../../terminal/printable.ts';
import {counted, grouped} from '../../terminal/quantity.ts';
import {movementBindings} from '../list/movement.ts';
import {AskedQuestion} from '../list/question-dialog.tsx';
import {hiddenWords} from '../selection/selection-bar.tsx';
import {
	caveatOf,
	contentOf,
	copiedWords,
	descriptionOf,
	type ExportForm,
	exportForms,
	offeredName,
	refusalOf,
	useTrainer,
} from './export-forms.ts';

/** What is written to a file: under which name, and why not under the one that was typed. */
type FileAsked = {readonly form: ExportForm; readonly typed: string; readonly problem?: string};

type ExportDialogProps = {readonly width: number; readonly height: number};

const widest = 70;
const labelWidth = 12;
const category = 'Export';

/** Hands over what is selected, or all that match where nothing is: to the clipboard, or to a file. */
export function ExportDialog({width, height}: ExportDialogProps): ReactNode {
	const explorer = useExplorer();
	const router = useRouter();
	const screen = useScreen();
	const copy = useCopy();
	const known = useSelectionKnown();
	// What is selected as the dialog opens: the lake goes on meanwhile.
	const [selection] = useState(() => explorer.selection.subject());
	const [file, setFile] = useState<FileAsked | undefined>(undefined);
	const [question, setQuestion] = useState<Question | undefined>(undefined);
	const isBeginning = useRef(false);
	const extent = {count: exportForms.length, height: exportForms.length};
	const {position, now, move} = useListPosition(extent);
	const trainer = useTrainer();

	const bindings = useMemo<readonly Binding[]>(() => {
		const chosen = () => exportForms[now().selected] as ExportForm;
		const close = () => explorer.update(overlaid(undefined));
		const whose = isNothing(explorer.state.getState().selection) ? 'all that match' : 'the selection';
		const isRefused = () => {
			const refusal = refusalOf(chosen(), trainer);
			if (refusal !== undefined) explorer.notify('warning', refusal);
			return refusal !== undefined;
		};
		const printCaveat = (form: ExportForm) => {
			const caveat = caveatOf(form);
			if (caveat !== undefined) explorer.notify('warning', caveat.text, caveat.way);
		};
		return [
			{
				keys: ['enter', 'y'],
				action: 'export.copy',
				description: 'copy',
				category,
				footer: 1,
				run() {
					if (isRefused()) return;
					const form = chosen();
					close();
					void explorer.exports.text(contentOf(form, explorer, selection)).then(text => {
						if (text === undefined) return;
						copy(text, copiedWords(form, whose));
						printCaveat(form);
					});
				},
			},
			{
				keys: ['w', 'f'],
				action: 'export.to-file',
				description: 'write to a file',
				category,
				footer: 2,
				run: () => {
					if (!isRefused()) setFile({form: chosen(), typed: offeredName(chosen(), new Date())});
				},
			},
			{
				keys: ['esc', 'q', 'e'],
				action: 'export.close',
				description: 'close',
				category,
				footer: 3,
				run: close,
			},
			...movementBindings({name: 'export', category, noun: 'form', move}),
		];
	}, [explorer, copy, selection, now, move, trainer]);
	useBindings({id: 'export', level: 'dialog', modal: true, bindings});

	const area = useListMouse({
		id: 'export',
		level: 'dialog',
		within: 'export',
		head: 1,
		from: 0,
		count: exportForms.length,
		chosen: position.selected,
		move,
		open: () => router.run('export.copy'),
	});
	const write = ({form, typed}: FileAsked, overwrite = false): void => {
		if (isBeginning.current) return;
		if (typed.trim() === '') {
			setFile({form, typed, problem: 'Type the name of the file first.'});
			return;
		}
		isBeginning.current = true;
		// Whoever has left meanwhile is told all the same.
		const isShown = () => explorer.state.getState().overlay === 'export';
		const target: ExportTarget = {
			typed,
			overwrite,
			exists(there) {
				isBeginning.current = false;
				const lines = [there, 'Its current content will be lost.'];
				const agree = () => write({form, typed}, true);
				const overwriting = {title: 'Overwrite the file?', lines, yes: 'overwrite', agree};
				setFile({form, typed});
				if (isShown()) setQuestion(overwriting);
				else explorer.update(asked(overwriting));
			},
			refused(problem) {
				isBeginning.current = false;
				setFile({form, typed, problem});
				if (!isShown()) explorer.notify('error', problem);
			},
			begun() {
				isBeginning.current = false;
				if (isShown()) explorer.update(overlaid(undefined));
			},
		};
		void explorer.exports.toFile(contentOf(form, explorer, selection), target);
	};

	const {signs} = screen;
	const inner = Math.min(widest, width) - 2;
	const rows = exportForms.map((each, place): DialogRow => {
		const isSelected = place === position.selected;
		return {
			segments: [
				isSelected ? signs.pointer : ' ',
				screen.cell(each.label, labelWidth, {role: 'strong'}),
				screen.cell(descriptionOf(each, trainer), Math.max(0, inner - labelWidth - 1), {role: 'dim'}),
			],
			look: isSelected ? 'selected' : 'plain',
		};
	});
	const hidden = hiddenWords(explorer.state.getState().selection, known);
	const caveat = caveatOf(exportForms[position.selected] ?? {label: '', description: ''})?.text;
	const said = [hidden, caveat].filter(sentence => sentence !== undefined);
	if (said.length > 0) {
		const lines = said.flatMap(each => printableLines(each, Math.max(1, inner - 1), screen.drawing));
		rows.push({segments: []}, ...lines.map(text => ({segments: [' ', {text, role: 'warning' as const}]})));
	}
	const all = explorer.window.result.getState().totals?.episodes ?? 0;
	const {summary} = known;
	const what = isNothing(explorer.state.getState().selection)
		? `Export all that match: ${grouped(all)}`
		: `Export the selection${summary === undefined ? '' : `: ${counted(summary.episodes, 'episode')}`}`;
	if (question !== undefined) {
		const close = () => setQuestion(undefined);
		return <AskedQuestion question={question} close={close} width={width} height={height} />;
	}
	if (file !== undefined) {
		return (
			<FieldDialog
				id="export-file"
				title={`Write ${file.form.label} to a file`}
				label="file"
				initial={file.typed}
				problem={file.problem}
				verb="write"
				done={typed => write({...file, typed})}
				leave={() => setFile(undefined)}
				width={width}
				height={height}
			/>
		);
	}
	return (
		<Dialog
			title={what}
			width={Math.min(widest, width)}
			rows={rows}
			screenWidth={width}
			screenHeight={height}
			area={area}
		/>
	);
}
