import {type ReactNode, useRef, useState} from 'react';
import {FieldDialog} from '../../components/field-dialog.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import type {ExportTarget} from '../../store/export/exporter.ts';
import type {Selection} from '../../store/selection/selection.ts';
import {overlaid} from '../../store/state/transitions.ts';
import type {Confirmation} from '../../store/state/user-state.ts';
import {asked} from '../../store/state/view-transitions.ts';
import {AskedQuestion} from '../list/question-dialog.tsx';
import {contentOf, type ExportForm, offeredName} from './export-forms.ts';

/** The file that an export is written to, as it is typed, and why the last name was refused. */
type FileName = {readonly form: ExportForm; readonly typed: string; readonly problem?: string};

/** Asks for a file's name, then whether an existing file is overwritten, then writes. */
export type FileExport = {
	readonly name: FileName | undefined;
	readonly question: Confirmation | undefined;
	/** Asks for a name, beginning with one that is free. */
	readonly ask: (form: ExportForm) => void;
	readonly write: (name: FileName) => void;
	readonly leave: () => void;
	readonly answered: () => void;
};

/** @param selection the episodes that are written. */
export function useFileExport(selection: Selection): FileExport {
	const explorer = useExplorer();
	const [name, setName] = useState<FileName | undefined>(undefined);
	const [question, setQuestion] = useState<Confirmation | undefined>(undefined);
	const isBeginning = useRef(false);
	// The dialog can be closed while the file is opened: then notices say what came of it.
	const isShown = () => explorer.state.getState().overlay === 'export';
	const write = ({form, typed}: FileName, overwrite = false): void => {
		if (isBeginning.current) return;
		if (typed.trim() === '') {
			setName({form, typed, problem: 'Type the name of the file first.'});
			return;
		}
		isBeginning.current = true;
		const target: ExportTarget = {
			typed,
			overwrite,
			exists(file) {
				isBeginning.current = false;
				setName({form, typed});
				const overwriting: Confirmation = {
					title: 'Overwrite the file?',
					lines: [file, 'Its current content will be lost.'],
					yes: 'overwrite',
					agree: () => write({form, typed}, true),
				};
				if (isShown()) setQuestion(overwriting);
				else explorer.update(asked(overwriting));
			},
			refused(problem) {
				isBeginning.current = false;
				setName({form, typed, problem});
				if (!isShown()) explorer.notify('error', problem);
			},
			begun() {
				isBeginning.current = false;
				if (isShown()) explorer.update(overlaid(undefined));
			},
		};
		void explorer.exports.toFile(contentOf(form, explorer, selection), target);
	};
	return {
		name,
		question,
		ask: form => setName({form, typed: offeredName(form, new Date())}),
		write,
		leave: () => setName(undefined),
		answered: () => setQuestion(undefined),
	};
}

type FileDialogProps = {readonly file: FileExport; readonly width: number; readonly height: number};

/** Draws the question about an existing file, or the field for the name; nothing while neither is asked. */
export function FileDialog({file, ...size}: FileDialogProps): ReactNode {
	const {name, question, write, leave, answered} = file;
	if (question !== undefined) return <AskedQuestion question={question} close={answered} {...size} />;
	if (name === undefined) return null;
	return (
		<FieldDialog
			id="export-file"
			title={`Write ${name.form.label} to a file`}
			label="file"
			initial={name.typed}
			problem={name.problem}
			verb="write"
			done={typed => write({...name, typed})}
			leave={leave}
			{...size}
		/>
	);
}
