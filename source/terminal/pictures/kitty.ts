import {diacritic, mostDiacritics} from './diacritics.ts';
import {throughTmux} from './passthrough.ts';
import type {SentPicture} from './picture-layer.ts';
import type {Extent} from './way.ts';

/** Characters of base64 in one sequence (kitty's graphics protocol, "Remote client"). */
const chunkLength = 4096;

/** As many sequences go with one frame: 64 KiB. */
const chunksOfFrame = 16;

const command = (keys: string, data = '') => `\u001b_G${keys}${data === '' ? '' : `;${data}`}\u001b\\`;

/** The sequences that carry a PNG, the first of them with what is to be done with it. */
function chunked(keys: string, base64: string): readonly string[] {
	const count = Math.max(1, Math.ceil(base64.length / chunkLength));
	return Array.from({length: count}, (_, at) => {
		const data = base64.slice(at * chunkLength, (at + 1) * chunkLength);
		const more = `m=${at === count - 1 ? 0 : 1}`;
		// Without `q=2` on each of them the terminal answers.
		return command(at === 0 ? `${keys},f=100,q=2,${more}` : `q=2,${more}`, data);
	});
}

/** Ends a file that is not whole: the terminal drops it. */
const lastChunk = command('q=2,m=0');

function inPieces(chunks: readonly string[]): readonly string[] {
	const count = Math.ceil(chunks.length / chunksOfFrame);
	return Array.from({length: count}, (_, at) =>
		chunks.slice(at * chunksOfFrame, (at + 1) * chunksOfFrame).join(''),
	);
}

/**
 * A PNG by kitty's graphics protocol: sent once, scaled by the terminal to its cells, moved and deleted by its number.
 *
 * @param id its number among the pictures of the terminal, 1 to 2^32 - 1.
 */
export function kittyPicture(base64: string, {width, height}: Extent, id: number): SentPicture {
	// `C=1` leaves the cursor where it is: nothing scrolls.
	const place = `p=1,c=${width},r=${height},C=1`;
	return {
		width,
		height,
		data: inPieces(chunked(`a=t,i=${id}`, base64)),
		draw: command(`a=p,i=${id},${place},q=2`),
		cancel: lastChunk,
		remove: deletion(id),
		scrolls: false,
	};
}

const deletion = (id: number) => command(`a=d,d=I,i=${id},q=2`);

/**
 * The same through tmux, which knows nothing of where pictures are: the cells hold a private character instead, with
 * marks that say which row and column of the picture stands there, and in the colour that is the picture's number. So
 * tmux moves, covers and clears it as it does with text.
 */
export function kittyPictureInTmux(base64: string, {width, height}: Extent, id: number): SentPicture {
	const transmission = chunked(`a=T,U=1,i=${id},c=${width},r=${height}`, base64);
	// A colour has 256 numbers on every terminal that tmux may draw on; the upper part is a third mark.
	const colour = `\u001b[38;5;${id & 0xff}m`;
	const upper = diacritic(id >>> 24);
	return {
		width,
		height,
		data: inPieces(transmission.map(throughTmux)),
		draw: '',
		cancel: throughTmux(lastChunk),
		remove: throughTmux(deletion(id)),
		line: row => {
			const cells = Array.from(
				{length: width},
				(_, x) => `\u{10eeee}${diacritic(row)}${diacritic(x)}${upper}`,
			);
			return `${colour}${cells.join('')}\u001b[39m`;
		},
		scrolls: false,
	};
}

/** Cells of a side that placeholders can name. */
export const mostPlaceholders = mostDiacritics;

/** Numbers for pictures: `next()` never gives one of another program's, as far as that goes. */
export function pictureNumbers(random: () => number = Math.random): {next(): number} {
	const upper = 1 + Math.floor(random() * (mostDiacritics - 1));
	let last = 0;
	return {
		next() {
			last = (last % 255) + 1;
			// Nothing between: in tmux the colour is the lower part, and the upper one a mark.
			return upper * 0x1000000 + last;
		},
	};
}
