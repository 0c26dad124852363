import {type ReactNode, useEffect} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer} from '../../hooks/explorer.tsx';
import {useNow} from '../../hooks/now.ts';
import type {ListLook} from '../list/list-pane.tsx';
import {OpenedPane} from '../list/opened-pane.tsx';
import {uploadLines} from './upload-lines.ts';
import {useShownUploads} from './use-uploads.ts';

/** An upload with its reason whole and its problems. */
export function UploadDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const now = useNow();
	const {selected, keys, bindings} = useShownUploads();
	useEffect(() => {
		if (selected !== undefined) explorer.uploads.lookAtProblems(selected);
	}, [explorer, selected]);
	const width = look.beside ? look.width - 1 : look.width;
	return (
		<OpenedPane
			{...look}
			list="uploads"
			title={selected?.name ?? selected?.operationId ?? ''}
			noun="Upload"
			keys={keys}
			lines={selected === undefined ? [] : uploadLines(selected, {width, screen, now})}
			bindings={bindings}
		/>
	);
}
