import type {ListedVideo} from './list-packets.ts';
import {UncutError} from './uncut.ts';

/** An episode's part of a video, as its metadata has it. */
export type WantedPart = {
	readonly episode: number;
	readonly frames: number;
	/** Seconds in the file. */
	readonly from: number;
	readonly to: number;
};

/** Packets of a video that are taken over together; decoding can begin with the first of them. */
type Piece = {
	/** The place of the first packet, and the one behind the last. */
	readonly first: number;
	readonly end: number;
	/** In ticks: when the first is shown, and when the last has been. */
	readonly start: number;
	readonly stop: number;
	readonly bytes: number;
	/** The episodes whose frames it holds, all of them. */
	readonly episodes: readonly number[];
};

/** A piece, and the video that it is of. */
export type SourcePiece = {readonly file: string; readonly video: ListedVideo; readonly piece: Piece};

/**
 * The pieces of a video to copy, so that every wanted frame can be decoded: from the key frame at or before its
 * first to where all that was decoded has been shown. Pieces that touch are one, as far as that stays within the bound.
 *
 * @param mostBytes of one piece, where an episode alone is not more
 * @throws {UncutError}
 */
export function planPieces(
	video: ListedVideo,
	parts: readonly WantedPart[],
	fps: number,
	mostBytes: number,
): Piece[] {
	const inOrder = [...video.shown].sort((a, b) => a - b);
	const isClosed = closedPlaces(video.shown, inOrder);
	const windows = parts.map(part => ({part, ...windowOf(video, inOrder, isClosed, part, fps)}));
	windows.sort((a, b) => a.first - b.first || a.end - b.end);
	const pieces: Piece[] = [];
	for (const {part, first, end} of windows) {
		const last = pieces.at(-1);
		if (last && first <= last.end) {
			const joined = pieceOf(video, inOrder, last.first, Math.max(last.end, end), [
				...last.episodes,
				part.episode,
			]);
			if (joined.bytes <= mostBytes) {
				pieces[pieces.length - 1] = joined;
				continue;
			}
		}
		pieces.push(pieceOf(video, inOrder, first, end, [part.episode]));
	}
	return pieces;
}

/** The frame that is nearest to a moment, by its place among the shown. */
function nearest(inOrder: readonly number[], tick: number): number {
	let low = 0;
	let high = inOrder.length - 1;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((inOrder[middle] ?? 0) < tick) low = middle + 1;
		else high = middle;
	}
	const [before = Number.NEGATIVE_INFINITY, after = Number.POSITIVE_INFINITY] = [
		inOrder[low - 1],
		inOrder[low],
	];
	return tick - before <= after - tick ? low - 1 : low;
}

/**
 * For each place whether what is decoded before it is also shown before it. With B-frames that is not so everywhere; a
 * video can be cut only where it is.
 */
function closedPlaces(shown: readonly number[], inOrder: readonly number[]): boolean[] {
	const closed = [true];
	let latest = Number.NEGATIVE_INFINITY;
	for (const [place, tick] of shown.entries()) {
		latest = Math.max(latest, tick);
		// The first n decoded are the first n shown exactly where the latest of them is the nth shown.
		closed.push(latest === inOrder[place] && latest !== inOrder[place + 1]);
	}
	return closed;
}

function windowOf(
	{rate, keys, shown}: ListedVideo,
	inOrder: readonly number[],
	isClosed: readonly boolean[],
	{episode, frames, from, to}: WantedPart,
	fps: number,
): {first: number; end: number} {
	const period = rate / fps;
	const lastAsked = from + (frames - 1) / fps;
	const earliest = nearest(inOrder, from * rate);
	const latest = nearest(inOrder, Math.max(lastAsked, to - 1 / fps) * rate);
	for (const seconds of [from, lastAsked]) {
		const found = inOrder[nearest(inOrder, seconds * rate)] ?? Number.NaN;
		if (!(Math.abs(found - seconds * rate) <= period / 2))
			throw new UncutError(`it has no frame where episode ${episode} should be`);
	}
	// Not one after which something is decoded that is shown before it: that needs what was decoded earlier.
	const canBegin = (place: number) => keys[place] && isClosed[place] && shown[place] === inOrder[place];
	let first = earliest;
	while (first > 0 && !canBegin(first)) first--;
	if (!canBegin(first)) throw new UncutError('it does not begin with a key frame');
	let end = latest + 1;
	while (!isClosed[end]) end++;
	return {first, end};
}

function pieceOf(
	{bytes, lasting, shown, rate}: ListedVideo,
	inOrder: readonly number[],
	first: number,
	end: number,
	episodes: readonly number[],
): Piece {
	const lastShown = inOrder[end - 1] ?? 0;
	const last = shown.lastIndexOf(lastShown, end - 1);
	const long = lasting[last] ?? 0;
	if (long <= 0 || long > rate) throw new UncutError('it does not say how long its frames last');
	let sum = 0;
	for (let place = first; place < end; place++) sum += bytes[place] ?? 0;
	return {first, end, start: inOrder[first] ?? 0, stop: lastShown + long, bytes: sum, episodes};
}

/** When the frames of a piece are shown, in order. */
export function shownTicks({video, piece}: SourcePiece): number[] {
	return video.shown.slice(piece.first, piece.end).sort((a, b) => a - b);
}

/** True if frames that follow a key frame are shown before it, and need earlier frames to be decoded. */
export function hasOpenGroups({shown, keys}: ListedVideo): boolean {
	let key = Number.NEGATIVE_INFINITY;
	return shown.some((tick, place) => {
		if (keys[place]) key = tick;
		return tick < key;
	});
}
