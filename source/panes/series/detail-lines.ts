import type {Screen} from '../../components/screen.tsx';
import {cellsOf, lineWidth, type Segment} from '../../components/segment.ts';
import {isDrawn} from '../../components/signs.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {webTarget} from '../../terminal/hyperlink.ts';
import {printable, printableLines} from '../../terminal/printable.ts';
import {grouped} from '../../terminal/quantity.ts';
import {wrap} from '../../terminal/width.ts';
import {shortNumber, suspectReasons} from '../list/figure-words.ts';
import type {Field, Section} from './episode-fields.ts';

/** A field of the grid: label, value and the space between two. */
const labelWidth = 20;
const valueWidth = 16;
const gridCell = labelWidth + valueWidth + 2;

/** No more of a text is laid out; a task may have 262,144 characters. */
const longestText = 4000;

/** Lays out what is known of an episode in lines of at most `width` cells: short fields side by side, long ones wrapped. */
export function detailLines(
	sections: readonly Section[],
	width: number,
	screen: Screen,
): readonly (readonly Segment[])[] {
	return sections.flatMap(({title, fields}, place) => {
		const lines: (readonly Segment[])[] = [...layOut(fields, width, screen)];
		const heading: readonly Segment[] = [' ', {text: title, role: 'title'}];
		return place === 0 ? lines : [heading, ...lines];
	});
}

function layOut(fields: readonly Field[], width: number, screen: Screen): readonly (readonly Segment[])[] {
	const columns = Math.max(1, Math.floor((width + 1) / gridCell));
	const label = columns > 1 ? labelWidth : Math.min(labelWidth, Math.floor(width / 2));
	// A column that stands alone has all the room.
	const room = columns > 1 ? valueWidth : Math.max(1, width - label - 1);
	const lines: (readonly Segment[])[] = [];
	let short: Field[] = [];
	const flush = () => {
		const height = Math.ceil(short.length / columns);
		for (let row = 0; row < height; row++) {
			// Read down the columns, as a dictionary is.
			const cells = Array.from({length: columns}, (_, column) => short[column * height + row]);
			lines.push(
				cells.flatMap((field, column) =>
					field === undefined
						? []
						: [
								column === 0 ? ' ' : '  ',
								labelCell(field, label, screen),
								shownValue(field.value, room, field.role, screen),
							],
				),
			);
		}
		short = [];
	};
	for (const field of fields) {
		if (!field.long && (columns === 1 || fitsGrid(field, screen))) short.push(field);
		else {
			flush();
			lines.push(...longField(field, {label, room: width - label - 1}, screen));
		}
	}
	flush();
	return lines;
}

function fitsGrid({value}: Field, {drawing}: Screen): boolean {
	return value.length <= 400 && cellsOf(value, drawing.ascii) <= valueWidth;
}

/** The label and a blank behind it. */
function labelCell({label}: Field, width: number, screen: Screen): Segment {
	const {text} = screen.cell(label, width - 1, {cut: 'middle'});
	return {text: `${text} `, role: 'dim'};
}

function shownValue(value: string, room: number, role: Field['role'], screen: Screen): Segment {
	if (value === '') return screen.cell(screen.signs.none, room, {role: 'dim'});
	return screen.cell(value, room, role === undefined ? {} : {role});
}

function longField(
	field: Field,
	{label, room}: {label: number; room: number},
	screen: Screen,
): readonly (readonly Segment[])[] {
	return valueLines(field.value, Math.max(1, room), screen).map((line, row) => [
		' ',
		row === 0 ? labelCell(field, label, screen) : ' '.repeat(label),
		line === ''
			? {text: screen.signs.none, role: 'dim'}
			: {text: line, role: field.role ?? 'plain', link: webTarget(field.value)},
	]);
}

function valueLines(value: string, width: number, {drawing}: Screen): readonly string[] {
	const rest = value.length - longestText;
	if (value.length <= width && isDrawn(value, drawing.ascii)) return [value];
	const lines = wrap(printable(rest > 0 ? value.slice(0, longestText) : value, drawing), width);
	return rest > 0 ? [...lines, `(and ${grouped(rest)} characters more)`] : lines;
}

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
	const wrapped = printableLines(reasons.join(` ${signs.separator} `), room, drawing);
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

/** `oddness 2.3, compared with 41 siblings` */
function besideWords({metrics}: LakeEpisode, isBroken: boolean): string {
	const {doubt, siblings} = metrics ?? {};
	if (isBroken || typeof doubt !== 'number') return '';
	const off = `oddness ${shortNumber(doubt)}`;
	return typeof siblings === 'number' ? `${off}, compared with ${siblings} siblings` : off;
}
