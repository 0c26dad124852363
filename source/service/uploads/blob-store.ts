import {randomUUID} from 'node:crypto';
import path from 'node:path';
import {Refusal} from '../host/refusal.ts';
import {BlobClaims} from './blob-claims.ts';
import {checked, type Said} from './checked-body.ts';
import {openEnvelope} from './envelope.ts';
import {type FileLayer, machineFiles} from './file-layer.ts';
import {storageProblem} from './storage-problem.ts';

/** `created` if this call stored the blob, `present` if it was there before. */
type BlobOutcome = 'created' | 'present';

/** The outcome for an envelope: its content is stored, or it is kept closed and its content is unknown. */
type EnvelopeOutcome =
	| {readonly kind: 'opened'; readonly outcome: BlobOutcome; readonly length: number}
	| {readonly kind: 'closed'; readonly outcome: BlobOutcome};

/**
 * Blobs, stored once under the sha256 of their content: `blobs/ab/cdef…`. A blob that has its name is whole and on
 * the disk; what is still arriving lies in `blobs/incoming` and is forgotten by a restart. An envelope that cannot be opened
 * is kept as `blobs/envelopes/BLOB/ENVELOPE`.
 */
export class BlobStore {
	readonly claims = new BlobClaims();
	readonly #folder: string;
	readonly #files: FileLayer;
	/** Envelopes are opened one after the other: zstd may take 128 MiB for each. */
	#opening: Promise<unknown> = Promise.resolve();
	/** The bytes of all blobs, counted at the first request. */
	#bytes: Promise<number> | undefined;

	constructor(lakeFolder: string, files: FileLayer = machineFiles) {
		this.#folder = path.join(lakeFolder, 'blobs');
		this.#files = files;
	}

	/** Where a blob lies, or would. */
	pathOf(blobId: string): string {
		return path.join(this.#folder, blobId.slice(0, 2), blobId.slice(2));
	}

	/** The length of a blob that is stored. */
	async lengthOf(blobId: string): Promise<number | undefined> {
		return await this.#files.sizeOf(this.pathOf(blobId));
	}

	/** A client asked for a stored blob: it counts as new. A blob with a second name in a dataset is left alone: touching it would change the dataset's file. */
	async renew(blobId: string): Promise<void> {
		const file = this.pathOf(blobId);
		if ((await this.#files.namesOf(file))?.names === 1) await this.#files.touch(file);
	}

	/** The blobs without a name in a dataset's folder that no client has asked for since a time. */
	async *unlinkedSince(beforeMs: number): AsyncGenerator<string, void> {
		for (const start of await this.#files.namesIn(this.#folder)) {
			if (!/^[0-9a-f]{2}$/.test(start)) continue;
			for (const rest of await this.#files.namesIn(path.join(this.#folder, start))) {
				if (/^[0-9a-f]{62}$/.test(rest) && (await this.#isUnlinked(start + rest, beforeMs)))
					yield start + rest;
			}
		}
	}

	/** How many bytes all stored blobs and kept envelopes have. */
	async bytes(): Promise<number> {
		this.#bytes ??= this.#count();
		return await this.#bytes;
	}

	async #count(): Promise<number> {
		const envelopes = path.join(this.#folder, 'envelopes');
		const folders = [
			...(await this.#files.namesIn(this.#folder))
				.filter(start => /^[0-9a-f]{2}$/.test(start))
				.map(start => path.join(this.#folder, start)),
			...(await this.#files.namesIn(envelopes)).map(blobId => path.join(envelopes, blobId)),
		];
		let bytes = 0;
		for (const folder of folders) {
			for (const name of await this.#files.namesIn(folder)) {
				bytes += (await this.#files.sizeOf(path.join(folder, name))) ?? 0;
			}
		}
		return bytes;
	}

	/** Removes a blob, if it still is as `unlinkedSince` has it. */
	async removeUnlinked(blobId: string, beforeMs: number): Promise<boolean> {
		if (!(await this.#isUnlinked(blobId, beforeMs))) return false;
		await this.#files.remove(this.pathOf(blobId));
		this.#bytes = undefined;
		return true;
	}

	async #isUnlinked(blobId: string, beforeMs: number): Promise<boolean> {
		const found = await this.#files.namesOf(this.pathOf(blobId));
		return found !== undefined && found.names === 1 && found.touchedMs < beforeMs;
	}

	/** Removes what an earlier service was receiving when it ended. */
	async sweep(): Promise<void> {
		await this.#files.remove(this.#incoming);
	}

	/**
	 * Stores a blob. When this returns it is on the disk; when it throws, nothing is left of it.
	 *
	 * @throws {Refusal} `malformed` cut short, `too-large` too long, `invalid` another content, `no-room`, `failed` a failing disk
	 */
	async put(said: Said, body: AsyncIterable<Uint8Array>): Promise<BlobOutcome> {
		try {
			if ((await this.lengthOf(said.blobId)) !== said.length) return await this.#store(said, body);
			// The body is read all the same: a caller that sends another content must not be told that it is stored.
			for await (const _ of checked(said, body));
			await this.renew(said.blobId);
			await this.#syncNames(said.blobId);
			return 'present';
		} catch (error) {
			throw storageProblem(error, `Blob ${said.blobId}`, this.#folder);
		}
	}

	/**
	 * Stores the envelope of a blob: its bytes are checked against the envelope's hash. One that is gzip or zstd of the
	 * content is opened, and the content checked against the blob's; any other is kept as it is.
	 *
	 * @throws {Refusal} as `put`; `invalid` for an envelope with another content too
	 */
	async putEnvelope(
		said: Said & {readonly envelope: string},
		body: AsyncIterable<Uint8Array>,
	): Promise<EnvelopeOutcome> {
		try {
			const received = await this.#receive(said, body);
			try {
				const opened = this.#opening.then(() => this.#open(said, received));
				this.#opening = opened.catch(() => undefined);
				return await opened;
			} finally {
				await this.#files.remove(received).catch(() => undefined);
			}
		} catch (error) {
			throw storageProblem(error, `Blob ${said.blobId}`, this.#folder);
		}
	}

	async #open(said: Said & {readonly envelope: string}, received: string): Promise<EnvelopeOutcome> {
		const {blobId} = said;
		const content = path.join(this.#incoming, randomUUID());
		try {
			const file = await this.#files.create(content);
			const opened = await openEnvelope(received, bytes => file.write(bytes))
				.then(async found => {
					if (found) await file.sync();
					return found;
				})
				.finally(() => file.close());
			if (opened === undefined) return {kind: 'closed', outcome: await this.#keep(said, received)};
			const {length, sha256} = opened;
			if (sha256 !== blobId) {
				throw new Refusal(
					'invalid',
					`The envelope of blob ${blobId} opens to a content with the sha256 ${sha256}: it is another's.`,
				);
			}
			return {kind: 'opened', length, outcome: await this.#settle({blobId, length}, content)};
		} finally {
			await this.#files.remove(content).catch(() => undefined);
		}
	}

	/** Keeps an envelope as it is. */
	async #keep(said: Said & {readonly envelope: string}, received: string): Promise<BlobOutcome> {
		const target = this.#envelopePath(said);
		const folder = path.dirname(target);
		const present = (await this.#files.sizeOf(target)) === said.length;
		if (present) await this.#files.touch(target);
		else {
			await this.#files.makeFolder(folder);
			await this.#files.rename(received, target);
			this.#bytes = this.#bytes?.then(bytes => bytes + said.length);
		}
		for (const each of [folder, path.dirname(folder), this.#folder]) await this.#files.syncFolder(each);
		return present ? 'present' : 'created';
	}

	#envelopePath({blobId, envelope}: {readonly blobId: string; readonly envelope: string}): string {
		return path.join(this.#folder, 'envelopes', blobId, envelope);
	}

	/** True if this envelope is kept as it is. */
	async holdsEnvelope(said: Said & {readonly envelope: string}): Promise<boolean> {
		return (await this.#files.sizeOf(this.#envelopePath(said))) === said.length;
	}

	/** True if any envelope of a blob is kept as it is. */
	async isClosed(blobId: string): Promise<boolean> {
		return (await this.#files.namesIn(path.join(this.#folder, 'envelopes', blobId))).length > 0;
	}

	/** The blobs whose envelopes were kept and not asked for since a moment. */
	async *closedSince(beforeMs: number): AsyncGenerator<string, void> {
		for (const blobId of await this.#files.namesIn(path.join(this.#folder, 'envelopes')))
			if (await this.#isOld(blobId, beforeMs)) yield blobId;
	}

	/** Removes the envelopes of a blob, if they still are as `closedSince` has them. */
	async removeClosed(blobId: string, beforeMs: number): Promise<boolean> {
		if (!(await this.#isOld(blobId, beforeMs))) return false;
		await this.#files.remove(path.join(this.#folder, 'envelopes', blobId));
		this.#bytes = undefined;
		return true;
	}

	async #isOld(blobId: string, beforeMs: number): Promise<boolean> {
		for (const envelope of await this.#files.namesIn(path.join(this.#folder, 'envelopes', blobId))) {
			const found = await this.#files.namesOf(this.#envelopePath({blobId, envelope}));
			if (found !== undefined && found.touchedMs >= beforeMs) return false;
		}
		return true;
	}

	get #incoming(): string {
		return path.join(this.#folder, 'incoming');
	}

	async #store(said: Said, body: AsyncIterable<Uint8Array>): Promise<BlobOutcome> {
		const temporary = await this.#receive(said, body);
		try {
			return await this.#settle(said, temporary);
		} catch (error) {
			await this.#files.remove(temporary).catch(() => undefined);
			throw error;
		}
	}

	/** Writes a body aside. @returns where it is on the disk, once all of it is and it is what it is said to be */
	async #receive(said: Said, body: AsyncIterable<Uint8Array>): Promise<string> {
		const temporary = path.join(this.#incoming, randomUUID());
		try {
			await this.#files.makeFolder(this.#incoming);
			const file = await this.#files.create(temporary);
			try {
				for await (const piece of checked(said, body)) await file.write(piece);
				await file.sync();
			} finally {
				await file.close();
			}
			return temporary;
		} catch (error) {
			await this.#files.remove(temporary).catch(() => undefined);
			throw error;
		}
	}

	/** Gives a whole blob its name, unless another that arrived at the same time has it by now. */
	async #settle({blobId, length}: Said, temporary: string): Promise<BlobOutcome> {
		const target = this.pathOf(blobId);
		const present = (await this.lengthOf(blobId)) === length;
		if (present) await this.#files.remove(temporary);
		else {
			await this.#files.makeFolder(path.dirname(target));
			await this.#files.rename(temporary, target);
			this.#bytes = this.#bytes?.then(bytes => bytes + length);
		}
		await this.#syncNames(blobId);
		return present ? 'present' : 'created';
	}

	/** A name, and the folder that holds it, may be younger than the disk knows. */
	async #syncNames(blobId: string): Promise<void> {
		await this.#files.syncFolder(path.dirname(this.pathOf(blobId)));
		await this.#files.syncFolder(this.#folder);
	}
}
