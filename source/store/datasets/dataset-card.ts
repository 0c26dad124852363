import type {CardBlock} from '../../picture/card-blocks.ts';
import {cardRead} from '../pictures/picture-work.ts';

/** A dataset's card, read as Markdown. */
export type DatasetCard = {
	/** As it is written, as far as it is read. */
	readonly text: string;
	/** None where it could not be read, or not in time: then it shows as it is written. */
	readonly blocks: readonly CardBlock[] | undefined;
	/** It goes on. */
	readonly isCut: boolean;
};

/** More of a card is not read. */
const mostCharacters = 32_768;

/**
 * Reads a card in the thread of the pictures: Markdown can be written so that reading it takes the square of its length.
 *
 * @throws the signal's reason
 */
export async function readCard(markdown: string, signal: AbortSignal): Promise<DatasetCard> {
	const text = markdown.slice(0, mostCharacters);
	const isCut = markdown.length > text.length;
	try {
		return {text, blocks: await cardRead(text, signal), isCut};
	} catch {
		signal.throwIfAborted();
		return {text, blocks: undefined, isCut};
	}
}
