import {type ReactNode, useEffect} from 'react';
import {useScreen} from '../../components/screen.tsx';
import {useExplorer, useExplorerState} from '../../hooks/explorer.tsx';
import {useWays} from '../../hooks/links.ts';
import {useNow} from '../../hooks/now.ts';
import {listOpenedAt} from '../../store/view-transitions.ts';
import type {ListLook} from '../list/list-pane.tsx';
import {OpenedPane} from '../list/opened-pane.tsx';
import {absentLines} from '../listing/listing-words.ts';
import {uploadLines} from './upload-lines.ts';
import {useShownUploads} from './use-uploads.ts';

/** An upload with its reason whole and its problems. */
export function UploadDetail(look: ListLook & {readonly beside: boolean}): ReactNode {
	const explorer = useExplorer();
	const screen = useScreen();
	const now = useNow();
	const ways = useWays();
	const {selected, entries, keys, bindings} = useShownUploads();
	const {cursor} = useExplorerState(({lists}) => lists.uploads);
	const named = entries.find(({key, operationId}) => operationId === cursor && key !== cursor)?.key;
	useEffect(() => {
		// A link names the operation; the feed may know the upload by another id.
		if (named !== undefined) explorer.update(listOpenedAt('uploads', named));
	}, [explorer, named]);
	useEffect(() => {
		if (selected !== undefined) explorer.uploads.lookInto(selected);
	}, [explorer, selected]);
	const width = look.beside ? look.width - 1 : look.width;
	return (
		<OpenedPane
			{...look}
			list="uploads"
			title={selected?.name ?? selected?.operationId ?? ''}
			noun="Upload"
			keys={keys}
			lines={
				selected === undefined ? absentLines(undefined) : uploadLines(selected, {width, screen, now, ways})
			}
			bindings={bindings}
		/>
	);
}
