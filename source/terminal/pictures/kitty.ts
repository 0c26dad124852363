import type {SentPicture} from './picture-layer.ts';
import type {Extent} from './picture-protocol.ts';

/**
 * The marks by which kitty's placeholders count rows and columns, from 0 (its `rowcolumn-diacritics.txt`: combining
 * class 230 without a decomposition, in Unicode 6.0), the first of 297, as spans of code points.
 */
const spans: readonly (readonly [first: number, last?: number])[] = [
	[0x305],
	[0x30d, 0x30e],
	[0x310],
	[0x312],
	[0x33d, 0x33f],
	[0x346],
	[0x34a, 0x34c],
	[0x350, 0x352],
	[0x357],
	[0x35b],
	[0x363, 0x36f],
	[0x483, 0x487],
	[0x592, 0x595],
	[0x597, 0x599],
	[0x59c, 0x5a1],
	[0x5a8, 0x5a9],
	[0x5ab, 0x5ac],
	[0x5af],
	[0x5c4],
	[0x610, 0x617],
	[0x657, 0x65b],
	[0x65d, 0x65e],
	[0x6d6, 0x6dc],
	[0x6df, 0x6e2],
	[0x6e4],
	[0x6e7, 0x6e8],
	[0x6eb, 0x6ec],
	[0x730],
	[0x732, 0x733],
	[0x735, 0x736],
	[0x73a],
	[0x73d],
	[0x73f, 0x741],
	[0x743],
	[0x745],
	[0x747],
	[0x749, 0x74a],
	[0x7eb, 0x7f1],
	[0x7f3],
];

const marks = spans.flatMap(([first, last = first]) =>
	Array.from({length: last - first + 1}, (_, at) => String.fromCodePoint(first + at)),
);

/** How many there are. */
export const mostDiacritics = marks.length;

/** @throws {RangeError} for a number that none stands for. */
export function diacritic(number: number): string {
	const found = marks[number];
	if (found === undefined) throw new RangeError(`no mark stands for ${number}`);
	return found;
}

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

const esc = '\u001b';

/** The bytes that have tmux pass a sequence on to its terminal (where `allow-passthrough` is on). */
function throughTmux(sequence: string): string {
	return `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\`;
}
