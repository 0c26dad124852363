import type {ReactNode} from 'react';
import {type KeyOf, keySentence, useKeyOf} from '../../components/key-words.ts';
import {useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useNow} from '../../hooks/now.ts';
import type {UploadFeedKnown} from '../../store/uploads/upload-feed.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {uploadRow} from './upload-row.ts';
import {useShownUploads} from './use-uploads.ts';

function emptyWords({hasList, freshness}: UploadFeedKnown, keyOf: KeyOf): readonly (readonly Segment[])[] {
	if (freshness !== undefined && 'reason' in freshness) return [[{text: freshness.reason, role: 'bad'}]];
	if (hasList === undefined) return [[{text: 'Reading the uploads.', role: 'dim'}]];
	const how = hasList
		? 'lakescope upload DIR and lakescope ingest DIR bring datasets in; they appear here.'
		: `This service has no list of uploads: what its events name appears here. ${keySentence(keyOf, [['uploads.follow', 'follows an operation']])}`;
	return [[{text: 'No upload is known.', role: 'strong'}], [how]];
}

/** The feed of uploads and re-ingests, what moved last first. */
export function UploadsPane(look: ListLook): ReactNode {
	const screen = useScreen();
	const now = useNow();
	const {feed, entries, keys, bindings, isSearched} = useShownUploads();
	const keyOf = useKeyOf(bindings);
	return (
		<ListPane
			{...look}
			list="uploads"
			title="Uploads"
			noun="upload"
			keys={keys}
			rowOf={(row, width) => {
				const entry = entries[row];
				return entry === undefined ? [] : uploadRow(entry, {width, screen, now});
			}}
			empty={isSearched ? [[{text: 'No upload holds this text.', role: 'strong'}]] : emptyWords(feed, keyOf)}
			bindings={bindings}
			freshness={feed.freshness}
		/>
	);
}
