import {Refusal} from '../host/refusal.ts';
import {noRoomFor} from '../host/reserve.ts';
import type {BlobStore} from './blob-store.ts';

type UploadRoomOptions = {
	readonly lakeFolder: string;
	readonly blobs: Pick<BlobStore, 'bytes' | 'lengthOf'>;
	/** How many bytes may be stored of what is sent. @default as many as the disk has room for */
	readonly quota?: number | undefined;
};

/** How much may still be sent: the quota of `serve --upload-quota`, and the reserve that reading needs. */
export class UploadRoom {
	readonly #options: UploadRoomOptions;
	/** Of blobs that are being received. */
	#coming = 0;

	constructor(options: UploadRoomOptions) {
		this.#options = options;
	}

	/** @throws {Refusal} `no-room` where there is no room for so much more */
	async require(bytes: number): Promise<void> {
		if (bytes === 0) return;
		const {lakeFolder, blobs, quota} = this.#options;
		if (quota !== undefined) {
			const used = (await blobs.bytes()) + this.#coming;
			if (used + bytes > quota) {
				throw new Refusal(
					'no-room',
					`This service stores at most ${sized(quota)} of uploads, ${sized(used)} are used, and this is ${sized(bytes)} more. Ask its operator for a higher quota (serve --upload-quota).`,
				);
			}
		}
		const problem = await noRoomFor(lakeFolder, this.#coming + bytes);
		if (problem !== undefined) throw new Refusal('no-room', `There is no room left for uploads: ${problem}.`);
	}

	/** Receives a blob while its room is taken; one that is stored already takes none. */
	async during<Result>(blobId: string, length: number, receive: () => Promise<Result>): Promise<Result> {
		const isStored = (await this.#options.blobs.lengthOf(blobId)) === length;
		if (isStored) return await receive();
		await this.require(length);
		this.#coming += length;
		try {
			return await receive();
		} finally {
			this.#coming -= length;
		}
	}
}

const sized = (bytes: number) => `${bytes.toLocaleString('en-US')} bytes`;
