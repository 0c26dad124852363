/** Why a video is taken whole instead of cut; `message` is the end of a sentence about it. */
export class UncutError extends Error {
	override readonly name = 'UncutError';
}
