import type {Token} from 'marked';

/** A dataset's card, read as Markdown. */
export type DatasetCard = {
	/** As it is written, as far as it is read. */
	readonly text: string;
	/** None where it is nested deeper than can be read. */
	readonly tokens: readonly Token[] | undefined;
	/** It goes on. */
	readonly isCut: boolean;
};

/** More of a card is not read: Markdown can be written so that reading it takes the square of its length. */
const mostCharacters = 32_768;

/** Reads a card. What reads Markdown is loaded for the first one: building its rules takes 4 ms. */
export async function readCard(markdown: string): Promise<DatasetCard> {
	const {Lexer} = await import('marked');
	const text = markdown.slice(0, mostCharacters);
	const isCut = markdown.length > text.length;
	try {
		return {text, tokens: new Lexer({gfm: true}).lex(text), isCut};
	} catch {
		return {text, tokens: undefined, isCut};
	}
}
