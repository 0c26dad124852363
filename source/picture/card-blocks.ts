import type {Token, Tokens} from 'marked';
import {type CardRun, inlineRuns} from './card-runs.ts';

/** A dataset's card as it is drawn: what Markdown makes of it, and no more than can be laid out between two keys. */
export type CardBlock =
	| {readonly is: 'heading' | 'paragraph'; readonly runs: readonly CardRun[]}
	| {readonly is: 'code' | 'html' | 'plain'; readonly text: string}
	| {readonly is: 'quote'; readonly blocks: readonly CardBlock[]}
	| {readonly is: 'list'; readonly isLoose: boolean; readonly items: readonly CardItem[]}
	| {readonly is: 'table'; readonly header: readonly string[]; readonly rows: readonly (readonly string[])[]}
	| {readonly is: 'rule'};

export type CardItem = {
	/** The number of an ordered list's, whether a task's is done, else nothing. */
	readonly mark: number | boolean | undefined;
	readonly blocks: readonly CardBlock[];
};

/** Lists in lists and quotes in quotes, further in than anybody reads. */
const deepest = 8;

const mostColumns = 64;
const mostRows = 1000;

/** Runs of words and blocks in all; a card that is read has some hundred. */
const mostPieces = 4000;

/** Tokens that are no words: the tick of a task is the mark of its item. */
const silent: ReadonlySet<string> = new Set(['space', 'def', 'checkbox']);

/**
 * Reads a card's Markdown. That may take the square of its length, and longer: it belongs into a thread.
 *
 * @throws what the reader of Markdown fails with, as by too deep a nesting
 */
export async function cardBlocks(text: string): Promise<readonly CardBlock[]> {
	const {Lexer} = await import('marked');
	return new BlockReader().blocks(new Lexer({gfm: true}).lex(text), 0);
}

class BlockReader {
	#left = mostPieces;

	blocks(tokens: readonly Token[], depth: number): readonly CardBlock[] {
		const blocks: CardBlock[] = [];
		for (const token of tokens) {
			if (silent.has(token.type)) continue;
			if (this.#left-- <= 0) break;
			blocks.push(this.#block(token as Tokens.Generic, depth));
		}
		return blocks;
	}

	#block(token: Tokens.Generic, depth: number): CardBlock {
		const inline = token.tokens ?? [];
		switch (token.type) {
			case 'heading':
				return {is: 'heading', runs: this.#runs(inlineRuns(inline, 'title'))};
			case 'paragraph':
			case 'text':
				return {
					is: 'paragraph',
					runs: this.#runs(
						inline.length > 0 ? inlineRuns(inline) : [{text: String(token.text), role: 'plain'}],
					),
				};
			case 'code':
				return {is: 'code', text: String(token.text)};
			case 'blockquote':
				if (depth >= deepest) return {is: 'plain', text: token.raw};
				return {is: 'quote', blocks: this.blocks(inline, depth + 1)};
			case 'list':
				if (depth >= deepest) return {is: 'plain', text: token.raw};
				return this.#list(token as unknown as Tokens.List, depth);
			case 'table':
				return this.#table(token as unknown as Tokens.Table);
			case 'hr':
				return {is: 'rule'};
			case 'html':
				return {is: 'html', text: token.raw.trimEnd()};
			default:
				return {is: 'plain', text: token.raw.trimEnd()};
		}
	}

	/** Runs of one look that follow each other are one. */
	#runs(runs: readonly CardRun[]): readonly CardRun[] {
		const joined: CardRun[] = [];
		for (const run of runs) {
			const last = joined.at(-1);
			if (last !== undefined && last.role === run.role && last.link === run.link) {
				joined[joined.length - 1] = {...last, text: last.text + run.text};
			} else if (this.#left-- > 0) joined.push(run);
			else break;
		}
		return joined;
	}

	#list(list: Tokens.List, depth: number): CardBlock {
		const start = typeof list.start === 'number' ? list.start : 1;
		const items: CardItem[] = [];
		for (const [place, item] of list.items.entries()) {
			if (this.#left-- <= 0) break;
			const mark = item.task ? item.checked === true : list.ordered ? start + place : undefined;
			items.push({mark, blocks: this.blocks(item.tokens, depth + 1)});
		}
		return {is: 'list', isLoose: list.loose, items};
	}

	#table({header, rows}: Tokens.Table): CardBlock {
		const plain = (cells: readonly Tokens.TableCell[]) =>
			cells.slice(0, mostColumns).map(cell =>
				inlineRuns(cell.tokens)
					.map(({text}) => text)
					.join(''),
			);
		return {is: 'table', header: plain(header), rows: rows.slice(0, mostRows).map(plain)};
	}
}
