import {uploadLimits} from '../contract/limits.ts';

/** A part of a file, in bytes. */
export type Piece = {readonly offset: number; readonly length: number};

/** The pieces that a file of some bytes is sent in, each as large as a blob may be but the last; none for an empty one. */
export function piecesOf(size: number): Piece[] {
	const largest = uploadLimits.contentLength.max;
	return Array.from({length: Math.ceil(size / largest)}, (_, i) => ({
		offset: i * largest,
		length: Math.min(largest, size - i * largest),
	}));
}
