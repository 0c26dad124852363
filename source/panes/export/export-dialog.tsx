import {type ReactNode, useMemo, useState} from 'react';
import {Dialog, type DialogRow} from '../../components/dialog.tsx';
import {FieldDialog} from '../../components/field-dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useSelectionKnown} from '../../hooks/explorer.tsx';
import {useListMouse} from '../../hooks/list-mouse.ts';
import {useListPosition} from '../../hooks/list-position.ts';
import type {Binding} from '../../input/binding.ts';
import {useBindings, useRouter} from '../../input/react.tsx';
import {isNothing} from '../../store/selection/selection.ts';
import {overlaid} from '../../store/transitions.ts';
import {asked} from '../../store/view-transitions.ts';
import {counted, grouped} from '../../terminal/quantity.ts';
import {movementBindings} from '../movement.ts';
import {
	contentOf,
	descriptionOf,
	type ExportForm,
	exportForms,
	offeredName,
	refusalOf,
} from './export-forms.ts';
import {useTrainer} from './use-trainer.ts';

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
	const [form, setForm] = useState<ExportForm | undefined>(undefined);
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
		return [
			{
				keys: ['enter', 'y'],
				action: 'export.copy',
				description: 'copy',
				category,
				footer: 1,
				run() {
					if (isRefused()) return;
					const {label} = chosen();
					close();
					void explorer.exports.text(contentOf(chosen(), explorer, selection)).then(text => {
						if (text !== undefined) copy(text, `${whose} as ${label}`);
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
					if (!isRefused()) setForm(chosen());
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
	const write = (typed: string, overwrite = false): void => {
		if (form === undefined || typed.trim() === '') return;
		explorer.update(overlaid(undefined));
		const exists = (file: string) => {
			const lines = [file, 'What is in it now would be lost.'];
			const agree = () => write(typed, true);
			explorer.update(asked({title: 'Overwrite the file?', lines, yes: 'overwrite it', agree}));
		};
		void explorer.exports.toFile(contentOf(form, explorer, selection), {typed, overwrite, exists});
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
	const all = explorer.window.result.getState().totals?.episodes ?? 0;
	const {summary} = known;
	const what = isNothing(explorer.state.getState().selection)
		? `Export all that match: ${grouped(all)}`
		: `Export what is selected${summary === undefined ? '' : `: ${counted(summary.episodes, 'episode')}`}`;
	if (form !== undefined) {
		return (
			<FieldDialog
				id="export-file"
				title={`Write ${form.label} to a file`}
				label="file"
				initial={offeredName(form, new Date())}
				verb="write it"
				done={typed => write(typed)}
				leave={() => setForm(undefined)}
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
