import {createHash} from 'node:crypto';
import {Refusal} from '../host/refusal.ts';

/** The announced properties of a blob. */
export type Said = {
	readonly blobId: string;
	/** Of the bytes that are sent. */
	readonly length: number;
	/** Of the bytes that are sent, where they are not the content itself but an envelope of it. */
	readonly envelope?: string | undefined;
};

/** The refusal of a stream that broke off; its sender has most likely gone. */
function brokenOff({blobId, length}: Said, received: number): Refusal {
	return new Refusal(
		'malformed',
		`Blob ${blobId} was cut short: ${received} of ${length} bytes came. Send it again.`,
	);
}

/** Passes a body on piece by piece, and fails unless it is as announced. */
export async function* checked(said: Said, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const {blobId, length, envelope = blobId} = said;
	const hash = createHash('sha256');
	let received = 0;
	try {
		for await (const piece of body) {
			received += piece.byteLength;
			if (received > length) {
				throw new Refusal(
					'too-large',
					`Blob ${blobId} is longer than the ${length} bytes it was prepared with.`,
				);
			}
			hash.update(piece);
			yield piece;
		}
	} catch (error) {
		// An error of the body itself means that it broke off.
		throw error instanceof Refusal ? error : brokenOff(said, received);
	}
	if (received < length) throw brokenOff(said, received);
	const found = hash.digest('hex');
	if (found !== envelope) {
		throw new Refusal(
			'invalid',
			`What was sent as blob ${blobId} has the sha256 ${found}: it changed on the way, or while it was read.`,
		);
	}
}
