import {createHash} from 'node:crypto';
import {
	closeSync,
	constants,
	fchmodSync,
	fstatSync,
	mkdirSync,
	openSync,
	readFileSync,
	rmSync,
	writeSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import {type ManifestBlob, manifestBlob} from '../contract/local-uploads.ts';
import {sha256Hex} from '../contract/scalars.ts';
import {fileProblem} from '../files/file-problem.ts';
import {places} from '../files/places.ts';

/** The key that an upload is resumed by: where it goes, and from where. */
type JournalKey = {readonly service: string; readonly folder: string};

const line = z.union([
	z.object({hashed: z.string(), stamp: z.string(), blobs: z.array(manifestBlob)}),
	z.object({forgotten: z.string()}),
	z.object({sent: sha256Hex}),
]);

/** Lines of others: one that was cut off, or of another version, is left out. */
function readLine(text: string): z.output<typeof line> | undefined {
	try {
		return line.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

function journalFile({service, folder}: JournalKey): string {
	const name = createHash('sha256').update(`${service}\0${folder}`).digest('hex').slice(0, 32);
	return path.join(places().state, 'uploads', `${name}.jsonl`);
}

/**
 * The memory of an upload across interruptions: the hashes of files that have not changed since, and the blobs
 * that the service confirmed. Each is appended in one write before it is relied on, so that an end at any moment
 * costs at most the line at hand; a line that is not whole is passed over. It is never asked about what the service
 * itself can tell.
 */
export class Journal {
	readonly #file: string;
	readonly #onProblem: (sentence: string) => void;
	readonly #hashes = new Map<string, {stamp: string; blobs: readonly ManifestBlob[]}>();
	readonly #sent = new Set<string>();
	#handle: number | undefined;

	/** @param onProblem told once where nothing can be kept: the upload goes on, and begins anew after an interruption. */
	constructor(key: JournalKey, onProblem: (sentence: string) => void) {
		this.#file = journalFile(key);
		this.#onProblem = onProblem;
		try {
			mkdirSync(path.dirname(this.#file), {recursive: true, mode: 0o700});
			const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
			this.#handle = openSync(this.#file, flags, 0o600);
			if (!fstatSync(this.#handle).isFile()) throw new Error('it is not a file');
			fchmodSync(this.#handle, 0o600);
			this.#read(readFileSync(this.#handle, 'utf8'));
		} catch (error) {
			this.#giveUp(error);
		}
	}

	/** The blobs of a file, where it was hashed in this state before. */
	blobsOf(file: {readonly path: string; readonly stamp: string}): readonly ManifestBlob[] | undefined {
		const known = this.#hashes.get(file.path);
		return known?.stamp === file.stamp ? known.blobs : undefined;
	}

	wasSent(blobId: string): boolean {
		return this.#sent.has(blobId);
	}

	noteHash(file: {readonly path: string; readonly stamp: string}, blobs: readonly ManifestBlob[]): void {
		this.#hashes.set(file.path, {stamp: file.stamp, blobs});
		this.#append({hashed: file.path, stamp: file.stamp, blobs});
	}

	/** Forgets a file whose content differs from what was read. */
	forget(filePath: string): void {
		if (this.#hashes.delete(filePath)) this.#append({forgotten: filePath});
	}

	noteSent(blobId: string): void {
		if (this.#sent.has(blobId)) return;
		this.#sent.add(blobId);
		this.#append({sent: blobId});
	}

	close(): void {
		if (this.#handle !== undefined) closeSync(this.#handle);
		this.#handle = undefined;
	}

	/** The upload is whole: nothing of it needs to be known any more. */
	remove(): void {
		this.close();
		rmSync(this.#file, {force: true});
	}

	#read(text: string): void {
		for (const each of text.split('\n')) {
			const found = readLine(each);
			if (!found) continue;
			if ('sent' in found) this.#sent.add(found.sent);
			else if ('forgotten' in found) this.#hashes.delete(found.forgotten);
			else this.#hashes.set(found.hashed, found);
		}
		// After a line that was cut off the next one would be lost with it.
		if (text !== '' && !text.endsWith('\n')) this.#write('\n');
	}

	#append(what: object): void {
		this.#write(`${JSON.stringify(what)}\n`);
	}

	#write(text: string): void {
		if (this.#handle === undefined) return;
		try {
			writeSync(this.#handle, text);
		} catch (error) {
			this.#giveUp(error);
		}
	}

	#giveUp(error: unknown): void {
		this.close();
		this.#onProblem(
			`${this.#file} cannot be written: ${fileProblem(error)}. After an interruption all files are hashed again.`,
		);
	}
}
