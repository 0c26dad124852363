import {type ReactNode, useState} from 'react';
import type {DialogRow} from '../../components/dialog.tsx';
import {useScreen} from '../../components/screen.tsx';
import {useCopy} from '../../hooks/clipboard.tsx';
import {useExplorer, useSelectionKnown} from '../../hooks/explorer.tsx';
import {isNothing} from '../../store/selection/selection.ts';
import {overlaid} from '../../store/state/transitions.ts';
import {printableLines} from '../../terminal/printable.ts';
import {counted, grouped} from '../../terminal/quantity.ts';
import {ChooserDialog, useChooser} from '../list/chooser.tsx';
import {hiddenWords} from '../selection/selection-bar.tsx';
import {FileDialog, useFileExport} from './export-file.tsx';
import {
	caveatOf,
	contentOf,
	copiedWords,
	descriptionOf,
	type ExportForm,
	exportForms,
	isBinary,
	useTrainer,
} from './export-forms.ts';

type ExportDialogProps = {readonly width: number; readonly height: number};

const widest = 70;
const labelWidth = 12;
const category = 'Export';

/** Exports the selection, or all that match if nothing is selected: to the clipboard or to a file. */
export function ExportDialog(size: ExportDialogProps): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const copy = useCopy();
	// The selection as the dialog opens: the lake can change meanwhile.
	const [selection] = useState(() => explorer.selection.subject());
	const file = useFileExport(selection);
	const trainer = useTrainer();
	const close = () => explorer.update(overlaid(undefined));
	const copyAs = (form: ExportForm) => {
		const whose = isNothing(explorer.state.getState().selection) ? 'all that match' : 'the selection';
		close();
		void explorer.exports.text(contentOf(form, explorer, selection)).then(text => {
			if (text === undefined) return;
			copy(text, copiedWords(form, whose));
			const caveat = caveatOf(form);
			if (caveat !== undefined) explorer.notify('warning', caveat.text, caveat.way);
		});
	};
	const list = useChooser<ExportForm>({
		id: 'export',
		category,
		noun: 'form',
		items: () => exportForms,
		room: Math.min(exportForms.length, Math.max(1, size.height - 8)),
		bindings({current}) {
			/** Hands the form at the pointer on. */
			const withForm = (act: (form: ExportForm) => void) => () => {
				const form = current();
				if (form !== undefined) act(form);
			};
			return [
				{
					keys: ['enter', 'y'],
					action: 'export.copy',
					description: 'copy',
					category,
					footer: 1,
					run: withForm(form => (isBinary(form) ? file.ask(form) : copyAs(form))),
				},
				{
					keys: ['w', 'f'],
					action: 'export.to-file',
					description: 'write to a file',
					category,
					footer: 2,
					run: withForm(file.ask),
				},
				{
					keys: ['esc', 'q', 'e'],
					action: 'export.close',
					description: 'close',
					category,
					footer: 3,
					run: close,
				},
			];
		},
	});
	const title = useTitle();
	const foot = useWarnings(list.items[list.position.selected], Math.min(widest, size.width) - 3);
	if (file.question !== undefined || file.name !== undefined) return <FileDialog file={file} {...size} />;
	return (
		<ChooserDialog
			list={list}
			title={title}
			widest={widest}
			{...size}
			row={(form, width) => [
				screen.cell(form.label, labelWidth, {role: 'strong'}),
				screen.cell(descriptionOf(form, trainer), Math.max(0, width - labelWidth), {role: 'dim'}),
			]}
			foot={foot}
			pressed="export.copy"
		/>
	);
}

/** Says which episodes are exported, and how many. */
function useTitle(): string {
	const explorer = useExplorer();
	const {summary} = useSelectionKnown();
	if (isNothing(explorer.state.getState().selection)) {
		return `Export all that match: ${grouped(explorer.window.result.getState().totals?.episodes ?? 0)}`;
	}
	return `Export the selection${summary === undefined ? '' : `: ${counted(summary.episodes, 'episode')}`}`;
}

/** Warns of selected episodes that the filter hides, and of the limits of the form at the pointer. */
function useWarnings(form: ExportForm | undefined, width: number): readonly DialogRow[] {
	const explorer = useExplorer();
	const {drawing} = useScreen();
	const hidden = hiddenWords(explorer.state.getState().selection, useSelectionKnown());
	const caveat = form && caveatOf(form)?.text;
	const lines = [hidden, caveat].flatMap(sentence =>
		sentence === undefined ? [] : printableLines(sentence, Math.max(1, width), drawing),
	);
	const rows = lines.map((text): DialogRow => ({segments: [' ', {text, role: 'warning'}]}));
	return rows.length === 0 ? [] : [{segments: []}, ...rows];
}
