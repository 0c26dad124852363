import type {ReactNode} from 'react';
import {type KeyOf, keySentence, useKeyOf} from '../../components/key-words.ts';
import {type Screen, useScreen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {useNow} from '../../hooks/now.ts';
import type {UploadEntry} from '../../store/uploads/upload-entry.ts';
import type {UploadFeedKnown} from '../../store/uploads/upload-feed.ts';
import {age} from '../../terminal/quantity.ts';
import {type ListLook, ListPane} from '../list/list-pane.tsx';
import {fittingUpshot, phaseLook, shareDone} from './upload-words.ts';
import {useShownUploads} from './uploads-bindings.ts';

function emptyWords({hasList, freshness}: UploadFeedKnown, keyOf: KeyOf): readonly (readonly Segment[])[] {
	if (freshness !== undefined && 'reason' in freshness) return [[{text: freshness.reason, role: 'bad'}]];
	if (hasList === undefined) return [[{text: 'Loading uploads.', role: 'dim'}]];
	const how = hasList
		? 'lakescope upload DIR and lakescope ingest DIR add datasets; they appear here.'
		: `This service has no upload list: uploads named in its events appear here. ${keySentence(keyOf, [['uploads.follow', 'follows an operation']])}`;
	return [[{text: 'No uploads.', role: 'strong'}], [how]];
}

/** The uploads and re-ingests, the last changed first. */
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
			empty={
				isSearched ? [[{text: 'No upload contains this text.', role: 'strong'}]] : emptyWords(feed, keyOf)
			}
			bindings={bindings}
			freshness={feed.freshness}
		/>
	);
}

const phaseWidth = 14;
const ageWidth = 5;

/** A line of the feed: name, phase, progress or result, and the time since the last change. */
export function uploadRow(
	entry: UploadEntry,
	{width, screen, now}: {width: number; screen: Screen; now: number},
): readonly Segment[] {
	const {signs, cell} = screen;
	const nameWidth = Math.min(32, Math.max(10, Math.floor(width / 4)));
	const barWidth = width >= 100 ? 20 : 10;
	const {text, role} = phaseLook(entry, signs);
	const share = shareDone(entry);
	const bar: Segment[] =
		share === undefined ? [] : [{text: signs.progress(share, barWidth), role: 'accent'}, ' '];
	const used = nameWidth + 1 + phaseWidth + 1 + (bar.length === 0 ? 0 : barWidth + 1) + ageWidth + 1;
	const room = Math.max(1, width - used);
	const isBad = entry.phase === 'failed' || (entry.trouble !== undefined && entry.status === undefined);
	return [
		cell(entry.name ?? entry.operationId ?? entry.key, nameWidth, {cut: 'middle'}),
		' ',
		cell(text, phaseWidth, {role}),
		' ',
		...bar,
		cell(fittingUpshot(entry, room), room, isBad ? {role: 'bad'} : {}),
		' ',
		cell(age(now - entry.updatedAt), ageWidth, {align: 'right', role: 'dim'}),
	];
}
