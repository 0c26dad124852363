import type {Token, Tokens} from 'marked';
import type {Screen} from '../../components/screen.tsx';
import {cellsOf, type Segment} from '../../components/segment.ts';
import type {DatasetCard} from '../../store/datasets/dataset-card.ts';
import {printable} from '../../terminal/printable.ts';
import {wrap} from '../../terminal/width.ts';
import {flow} from './flow.ts';
import {inlineRuns} from './inline-runs.ts';

type CardLine = readonly Segment[];

type CardOptions = {readonly width: number; readonly screen: Screen};

/** Lists in lists and quotes in quotes, further in than anybody reads. */
const deepest = 8;

const mostLines = 3000;

/** A dataset's card as lines; what it would fetch or have done elsewhere is only words here. */
export function cardLines(card: DatasetCard, {width, screen}: CardOptions): readonly CardLine[] {
	const lines = laidOut(card, {width: Math.max(8, width - 2), screen}).slice(0, mostLines);
	const left: CardLine[] = card.isCut
		? [[], [{text: 'The card goes on; this is its beginning.', role: 'dim'}]]
		: [];
	return [...lines, ...left].map(line => [' ', ...line]);
}

/** One that could not be read is shown as it is written. */
function laidOut({text, tokens}: DatasetCard, options: CardOptions): readonly CardLine[] {
	if (tokens === undefined) return plainLines(text, options);
	try {
		return blockLines(tokens, options, 0);
	} catch {
		return plainLines(text, options);
	}
}

function plainLines(text: string, {width, screen}: CardOptions): readonly CardLine[] {
	return text
		.split(/\r?\n/)
		.flatMap(line => wrap(printable(line, screen.drawing), width))
		.map(line => [line]);
}

/** Tokens that are no words: the tick of a task is the mark of its item. */
const silent: ReadonlySet<string> = new Set(['space', 'def', 'checkbox']);

function blockLines(tokens: readonly Token[], options: CardOptions, depth: number): readonly CardLine[] {
	const blocks = tokens
		.filter(({type}) => !silent.has(type))
		.map(token => linesOf(token as Tokens.Generic, options, depth));
	return blocks.flatMap((lines, place) => (place === 0 ? lines : [[], ...lines]));
}

function linesOf(token: Tokens.Generic, options: CardOptions, depth: number): readonly CardLine[] {
	const {width, screen} = options;
	const {drawing, signs} = screen;
	const ascii = drawing.ascii;
	const inline = token.tokens ?? [];
	switch (token.type) {
		case 'heading':
			return flow(inlineRuns(inline, 'title'), {width, ascii});
		case 'paragraph':
		case 'text':
			return inline.length > 0
				? flow(inlineRuns(inline), {width, ascii})
				: flow([{text: String(token.text), role: 'plain'}], {width, ascii});
		case 'code':
			return plainLines(String(token.text), {...options, width: width - 2}).map(line => [
				'  ',
				...accented(line),
			]);
		case 'blockquote': {
			const bar = {text: `${signs.line.vertical} `, role: 'dim'} as const;
			if (depth >= deepest) return plainLines(token.raw, options);
			const inner = blockLines(inline, {screen, width: Math.max(8, width - 2)}, depth + 1);
			return inner.map(line => [bar, ...line]);
		}
		case 'list':
			if (depth >= deepest) return plainLines(token.raw, options);
			return listLines(token as unknown as Tokens.List, options, depth);
		case 'table':
			return tableLines(token as unknown as Tokens.Table, options);
		case 'hr':
			return [[{text: signs.line.horizontal.repeat(Math.min(width, 40)), role: 'dim'}]];
		case 'html':
			return plainLines(token.raw.trimEnd(), options).map(dimmed);
		default:
			return plainLines(token.raw.trimEnd(), options);
	}
}

const accented = (line: CardLine): CardLine => line.map(part => ({text: String(part), role: 'accent'}));
const dimmed = (line: CardLine): CardLine => line.map(part => ({text: String(part), role: 'dim'}));

function listLines(list: Tokens.List, options: CardOptions, depth: number): readonly CardLine[] {
	const {width, screen} = options;
	const start = typeof list.start === 'number' ? list.start : 1;
	return list.items.flatMap((item, place) => {
		const tick = item.checked ? screen.signs.check.on : screen.signs.check.off;
		const mark = item.task ? `${tick} ` : list.ordered ? `${start + place}. ` : '- ';
		const indent = ' '.repeat(mark.length);
		const inner = {screen, width: Math.max(8, width - mark.length)};
		// In a tight list the blank lines between its blocks would tear it apart.
		const lines = blockLines(item.tokens, inner, depth + 1).filter(line => list.loose || line.length > 0);
		return lines.map((line, row): CardLine => [row === 0 ? mark : indent, ...line]);
	});
}

const narrowestColumn = 4;

/** A table in columns that share the width; a cell that is longer than its column is cut. */
function tableLines({header, rows}: Tokens.Table, {width, screen}: CardOptions): readonly CardLine[] {
	const plain = (cell: Tokens.TableCell) =>
		inlineRuns(cell.tokens)
			.map(({text}) => text)
			.join('');
	const texts = [header, ...rows].map(cells => cells.map(plain));
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
