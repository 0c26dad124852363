/** Why an upload cannot go on, in a sentence with the way out. */
export class UploadError extends Error {
	override readonly name = 'UploadError';
}
