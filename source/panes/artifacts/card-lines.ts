import type {Screen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import type {CardBlock, CardItem} from '../../picture/card-blocks.ts';
import {type CardRun, lineBreak} from '../../picture/card-runs.ts';
import type {DatasetCard} from '../../store/artifacts/opened-dataset.ts';
import {printable} from '../../terminal/printable.ts';
import {textWidth, wrap} from '../../terminal/width.ts';

type CardLine = readonly Segment[];

type CardOptions = {readonly width: number; readonly screen: Screen};

const mostLines = 3000;

/** The last layout of a card: rows around it change, the card does not. */
const laid = new WeakMap<DatasetCard, CardOptions & {readonly lines: readonly CardLine[]}>();

/** A dataset's card as lines; what it would fetch or have done elsewhere is only words here. */
export function cardLines(card: DatasetCard, {width, screen}: CardOptions): readonly CardLine[] {
	const before = laid.get(card);
	if (before?.width === width && before.screen === screen) return before.lines;
	const options = {width: Math.max(8, width - 2), screen};
	const {text, blocks} = card;
	const all = blocks === undefined ? plainLines(text, options) : blockLines(blocks, options);
	const left: CardLine[] = card.isCut
		? [[], [{text: 'Only the beginning of the card is shown.', role: 'dim'}]]
		: [];
	const lines = [...all.slice(0, mostLines), ...left].map((line): CardLine => [' ', ...line]);
	laid.set(card, {width, screen, lines});
	return lines;
}

function plainLines(text: string, {width, screen}: CardOptions): readonly CardLine[] {
	return text
		.split(/\r?\n/)
		.slice(0, mostLines)
		.flatMap(line => wrap(printable(line, screen.drawing), width))
		.map(line => [line]);
}

function blockLines(blocks: readonly CardBlock[], options: CardOptions): readonly CardLine[] {
	return blocks.flatMap((block, place) => {
		const lines = linesOf(block, options);
		return place === 0 ? lines : [[], ...lines];
	});
}

function linesOf(block: CardBlock, options: CardOptions): readonly CardLine[] {
	const {width, screen} = options;
	const {drawing, signs} = screen;
	switch (block.is) {
		case 'heading':
		case 'paragraph':
			return flow(block.runs, {width, ascii: drawing.ascii});
		case 'code':
			return plainLines(block.text, {...options, width: width - 2}).map(line => ['  ', ...accented(line)]);
		case 'quote': {
			const bar = {text: `${signs.line.vertical} `, role: 'dim'} as const;
			const inner = blockLines(block.blocks, {screen, width: Math.max(8, width - 2)});
			return inner.map(line => [bar, ...line]);
		}
		case 'list':
			return block.items.flatMap(item => itemLines(item, block.isLoose, options));
		case 'table':
			return tableLines(block, options);
		case 'rule':
			return [[{text: signs.line.horizontal.repeat(Math.min(width, 40)), role: 'dim'}]];
		case 'html':
			return plainLines(block.text, options).map(dimmed);
		case 'plain':
			return plainLines(block.text, options);
	}
}

const accented = (line: CardLine): CardLine => line.map(part => ({text: String(part), role: 'accent'}));
const dimmed = (line: CardLine): CardLine => line.map(part => ({text: String(part), role: 'dim'}));

function itemLines(
	{mark, blocks}: CardItem,
	isLoose: boolean,
	{width, screen}: CardOptions,
): readonly CardLine[] {
	const {on, off} = screen.signs.check;
	const lead = typeof mark === 'boolean' ? `${mark ? on : off} ` : mark === undefined ? '- ' : `${mark}. `;
	const inner = {screen, width: Math.max(8, width - lead.length)};
	// In a tight list the blank lines between its blocks would tear it apart.
	const lines = blockLines(blocks, inner).filter(line => isLoose || line.length > 0);
	return lines.map((line, row): CardLine => [row === 0 ? lead : ' '.repeat(lead.length), ...line]);
}

const narrowestColumn = 4;

/** A table in columns that share the width; a cell that is longer than its column is cut. */
function tableLines(
	{header, rows}: Extract<CardBlock, {is: 'table'}>,
	{width, screen}: CardOptions,
): readonly CardLine[] {
	const texts = [header, ...rows];
	const wanted = header.map((_, column) =>
		Math.max(narrowestColumn, ...texts.slice(0, 200).map(cells => cellsOf(cells[column] ?? ''))),
	);
	const room = Math.max(narrowestColumn, width - 2 * (wanted.length - 1));
	const all = wanted.reduce((sum, cells) => sum + cells, 0);
	const widths = wanted.map(cells =>
		all <= room ? cells : Math.max(narrowestColumn, Math.floor((cells / all) * room)),
	);
	const line = (cells: readonly string[], role: 'plain' | 'title'): CardLine =>
		widths.flatMap((cells_, column) => [
			...(column === 0 ? [] : ['  ']),
			screen.cell(cells[column] ?? '', cells_, {role}),
		]);
	const [head = [], ...body] = texts;
	const rule = {
		text: screen.signs.line.horizontal.repeat(Math.min(width, all + 2 * (widths.length - 1))),
		role: 'dim',
	} as const;
	return [line(head, 'title'), [rule], ...body.map(cells => line(cells, 'plain'))];
}

type FlowOptions = {
	readonly width: number;
	readonly ascii: boolean;
	/** Before the first line, and before those behind it: as wide as one another. */
	readonly first?: readonly Segment[];
	readonly rest?: readonly Segment[];
};

/** A mark that a blank comes before has no letter to stand on: it gets one, as the blank may end a line. */
const plainBlanks = (text: string) => text.replaceAll(/[ \t\r\f\v]+/g, ' ').replaceAll(/ (?=\p{M})/gu, ' ◌');

/** Lays runs of words out in lines of at most `width` cells. */
function flow(
	runs: readonly CardRun[],
	{width, ascii, first = [], rest = first}: FlowOptions,
): readonly (readonly Segment[])[] {
	const lead = first.reduce(
		(sum, segment) => sum + cellsOf(typeof segment === 'string' ? segment : segment.text),
		0,
	);
	const room = Math.max(4, width - lead);
	const lines: Segment[][] = [];
	let line: Segment[] = [];
	let used = 0;
	let isSpaced = false;
	const end = () => {
		lines.push([...(lines.length === 0 ? first : rest), ...line]);
		line = [];
		used = 0;
		isSpaced = false;
	};
	for (const {text, role, link} of runs) {
		for (const [place, whole] of text.split(lineBreak).entries()) {
			if (place > 0) end();
			for (const part of printable(plainBlanks(whole), {ascii}).split(/( +)/)) {
				if (part === '') continue;
				if (part.startsWith(' ')) {
					isSpaced = used > 0;
					continue;
				}
				for (const piece of wrap(part, room)) {
					const cells = textWidth(piece);
					const gap = isSpaced ? 1 : 0;
					if (used > 0 && used + gap + cells > room) end();
					else if (gap === 1) {
						line.push(' ');
						used++;
					}
					isSpaced = false;
					line.push(link === undefined ? {text: piece, role} : {text: piece, role, link});
					used += cells;
				}
			}
		}
	}
	if (line.length > 0) end();
	return lines;
}
