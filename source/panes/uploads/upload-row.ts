import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {UploadEntry} from '../../store/uploads/upload-entry.ts';
import {age} from '../../terminal/quantity.ts';
import {fittingUpshot, phaseLook, shareDone} from './upload-words.ts';

const phaseWidth = 14;
const ageWidth = 5;

/** A line of the feed: what it is, its phase, how far it is or what came of it, and how long ago it last moved. */
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
