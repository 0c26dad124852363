import type {ReactNode} from 'react';
import {FieldDialog} from '../../components/field-dialog.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import {readThinning, thinSelection} from '../../store/selection/thinning.ts';
import {overlaid} from '../../store/state/transitions.ts';

/** Thins the selection: asks how many episodes of each task stay selected. */
export function ThinDialog(size: {readonly width: number; readonly height: number}): ReactNode {
	const explorer = useExplorer();
	const close = () => explorer.update(overlaid(undefined));
	const done = (typed: string) => {
		const read = readThinning(typed);
		if (!read.ok) return explorer.notify('error', read.reason);
		close();
		const {selection, work, signal} = explorer;
		const notify = (kind: 'info' | 'error', text: string) => explorer.notify(kind, text);
		void thinSelection({selection, work, signal, notify}, read.thinning);
	};
	return (
		<FieldDialog
			id="thin"
			title="Thin the selection: keep some of each task"
			label="keep"
			initial="random 100 a task"
			verb="apply"
			done={done}
			leave={close}
			{...size}
		/>
	);
}
