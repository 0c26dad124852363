/** The package brings no types; these are of the part that is used. */
declare module 'write-file-atomic' {
	export default function writeFileAtomic(
		file: string,
		data: string,
		options?: {readonly mode?: number; readonly encoding?: BufferEncoding},
	): Promise<void>;
}
