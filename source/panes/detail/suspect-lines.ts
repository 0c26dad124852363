import type {Screen} from '../../components/screen.tsx';
import {lineWidth, type Segment} from '../../components/segment.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {printableLines} from '../../terminal/printable.ts';
import {suspectReasons} from '../episode-words.ts';
import {shortNumber} from '../short-number.ts';

type SuspectLook = {
	readonly screen: Screen;
	/** Cells of a line. */
	readonly width: number;
	/** Rows of the pane: where they are few, the plots have them. */
	readonly rows: number;
};

const brokenTag = 'broken';

/** Why an episode is suspect, with figures, worst first: nothing where it is not. */
export function suspectLines(
	episode: LakeEpisode,
	{screen, width, rows}: SuspectLook,
): readonly (readonly Segment[])[] {
	const reasons = suspectReasons(episode);
	if (reasons.length === 0) return [];
	const {signs, drawing} = screen;
	const isBroken = episode.tags?.includes(brokenTag) ?? false;
	const head = `${isBroken ? `${signs.no} broken` : `${signs.warning} suspect`}  `;
	const indent = lineWidth([' ', head]);
	const room = Math.max(1, width - indent - 1);
	const most = rows >= 30 ? 4 : rows >= 12 ? 2 : 1;
	const wrapped = printableLines(reasons.join('; '), room, drawing);
	const shown = wrapped.slice(0, most);
	const lines = shown.map((line, row): Segment[] => {
		const isCut = row === most - 1 && wrapped.length > most;
		const words = isCut ? screen.cell(`${line} ${signs.ellipsis}`, room) : {text: line};
		return [
			' ',
			row === 0 ? {text: head, role: isBroken ? 'bad' : 'warning'} : ' '.repeat(indent - 1),
			{...words, role: 'strong'},
		];
	});
	const beside = besideWords(episode, isBroken);
	const last = lines.at(-1);
	if (last && beside !== '' && wrapped.length <= most && lineWidth(last) + beside.length + 2 <= width) {
		last.push({text: `  ${beside}`, role: 'dim'});
	}
	return lines;
}

/** How far off it is, and beside how many: `2.3 × the bound, beside 41 siblings`. */
function besideWords({metrics}: LakeEpisode, isBroken: boolean): string {
	const {doubt, siblings} = metrics ?? {};
	if (isBroken || typeof doubt !== 'number') return '';
	const off = `${shortNumber(doubt)} times the bound`;
	return typeof siblings === 'number' ? `${off}, beside ${siblings} siblings` : off;
}
