import {createHash, randomUUID} from 'node:crypto';
import path from 'node:path';
import {Refusal} from '../host/refusal.ts';
import {openEnvelope} from './envelope.ts';
import {type FileLayer, machineFiles} from './file-layer.ts';
import {storageProblem} from './storage-problem.ts';

/** Whether a blob was stored by this call, or was there before. */
type BlobOutcome = 'created' | 'present';

/** What a blob is said to be. */
type Said = {
	readonly blobId: string;
	/** Of the bytes that are sent. */
	readonly length: number;
	/** Of the bytes that are sent, where they are not the content itself but an envelope of it. */
	readonly envelope?: string | undefined;
};

/** What became of an envelope: its content is stored, or it is kept closed, and what is in it is not known. */
type EnvelopeOutcome =
	| {readonly kind: 'opened'; readonly outcome: BlobOutcome; readonly length: number}
	| {readonly kind: 'closed'; readonly outcome: BlobOutcome};

/** A stream that broke off, in words; whoever sent it has most likely gone. */
function brokenOff({blobId, length}: Said, received: number): Refusal {
	return new Refusal(
		'malformed',
		`Blob ${blobId} was cut short: ${received} of ${length} bytes came. Send it again.`,
	);
}

/** Hands a body over piece by piece, and fails at its end unless it was what it is said to be. */
async function* checked(said: Said, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
		// What the body itself throws is that it broke off.
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
	/** What all blobs take, once somebody asked. */
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

	/** Somebody asked for a stored blob: it counts as new. One that has a second name in a dataset is not that dataset's to change. */
	async renew(blobId: string): Promise<void> {
		const file = this.pathOf(blobId);
		if ((await this.#files.namesOf(file))?.names === 1) await this.#files.touch(file);
	}

	/** The blobs that no dataset's folder has a name for, and that nobody asked for since a moment. */
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
	 * Takes a blob in. When this returns it is on the disk; when it throws, nothing is left of it.
	 *
	 * @throws {Refusal} `malformed` cut short, `too-large` too long, `invalid` another content, `no-room`, `failed` a failing disk
	 */
	async put(said: Said, body: AsyncIterable<Uint8Array>): Promise<BlobOutcome> {
		try {
			if ((await this.lengthOf(said.blobId)) !== said.length) return await this.#store(said, body);
			// It is read all the same: whoever sends something else must not be told that it is stored.
			for await (const _ of checked(said, body));
			await this.renew(said.blobId);
			await this.#syncNames(said.blobId);
			return 'present';
		} catch (error) {
			throw storageProblem(error, `Blob ${said.blobId}`, this.#folder);
		}
	}

	/**
	 * Takes the envelope of a blob in: its bytes are checked against the envelope's hash. One that is gzip or zstd of the
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

	/** Whether this envelope is kept as it is. */
	async holdsEnvelope(said: Said & {readonly envelope: string}): Promise<boolean> {
		return (await this.#files.sizeOf(this.#envelopePath(said))) === said.length;
	}

	/** Whether any envelope of a blob is kept as it is. */
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

/** Which blobs somebody counts on just now, and which are being removed: no blob is ever both. */
class BlobClaims {
	readonly #held = new Map<string, number>();
	readonly #removing = new Map<string, Promise<unknown>>();
	/** What was claimed since it began to be looked for blobs that nobody needs. */
	#sinceBegun: Set<string> | undefined;

	/**
	 * Counts on blobs from now on, whether they are there or not. Settles once none of them is being removed any more:
	 * those that are there then stay.
	 *
	 * @returns what gives the claim up
	 */
	async claim(blobIds: Iterable<string>): Promise<() => void> {
		const ids = [...new Set(blobIds)];
		for (const id of ids) {
			this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
			this.#sinceBegun?.add(id);
		}
		await Promise.all(ids.map(id => this.#removing.get(id)));
		return () => {
			for (const id of ids) {
				const left = (this.#held.get(id) ?? 1) - 1;
				if (left === 0) this.#held.delete(id);
				else this.#held.set(id, left);
			}
		};
	}

	/** While this works, whoever has claimed a blob keeps it, also after the claim was given up. */
	async remembering(work: () => Promise<void>): Promise<void> {
		this.#sinceBegun = new Set(this.#held.keys());
		try {
			await work();
		} finally {
			this.#sinceBegun = undefined;
		}
	}

	/** Removes a blob, unless somebody counts on it. */
	async unlessClaimed(blobId: string, remove: () => Promise<unknown>): Promise<void> {
		if (this.#held.has(blobId) || this.#sinceBegun?.has(blobId)) return;
		const removed = remove();
		// Whoever waits for it looks by himself what is there afterwards.
		this.#removing.set(
			blobId,
			removed.catch(() => undefined),
		);
		try {
			await removed;
		} finally {
			this.#removing.delete(blobId);
		}
	}
}
