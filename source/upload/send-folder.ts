import type {Client} from '../client/client.ts';
import {ServiceError} from '../client/errors.ts';
import {wait} from '../client/retry.ts';
import type {CommitResponse, ManifestFile} from '../contract/local-uploads.ts';
import {type FolderListing, listFolder} from './folder-listing.ts';
import type {HashedFile} from './hash-files.ts';
import {type Sender, type Sent, sendFiles} from './send-files.ts';
import {UploadError} from './upload-error.ts';

/** How often a folder that changes under the sending is gone through. */
const mostRounds = 4;

/** A recorder or an editor that is just writing is given so long, and twice as long the next time. */
const defaultPauseMs = 500;

export type FolderSending = {
	readonly folder: string;
	/** Files and folders that are known not to be sendable, and are left out. */
	readonly tolerated: ReadonlySet<string>;
	/** Told when files changed meanwhile and are read again. */
	readonly onChanged: (paths: readonly string[]) => void;
	/** How long to wait before the second round. @default 500 */
	readonly pauseMs?: number;
};

/** The files of a folder that differ from those that were hashed and sent. */
function differences({files}: FolderListing, {hashed, changed}: Sent): string[] {
	const sent = new Map(hashed.map(({path, stamp}) => [path, stamp]));
	const present = new Set(files.map(({path}) => path));
	const edited = files.filter(({path, stamp}) => changed.has(path) || sent.get(path) !== stamp);
	const gone = hashed.filter(({path}) => !present.has(path));
	return [...edited, ...gone].map(({path}) => path);
}

async function listSendable({folder, tolerated}: FolderSending, signal: AbortSignal): Promise<FolderListing> {
	const listing = await listFolder(folder, signal);
	const problem = listing.problems.find(({file}) => !tolerated.has(file));
	if (problem) throw new UploadError(`${problem.file} ${problem.message}`);
	return listing;
}

function some(paths: readonly string[]): string {
	const [first = '', ...rest] = paths;
	return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}

/**
 * Brings every file of a folder to the service as it is in the end: what changes meanwhile is hashed and sent anew,
 * a bounded number of times.
 *
 * @returns the files and how many blobs were sent.
 * @throws {UploadError} where it never comes to rest.
 */
export async function sendFolder(
	sending: FolderSending,
	sender: Sender,
): Promise<{files: readonly HashedFile[]; blobs: number}> {
	const settled = new Set<string>();
	let blobs = 0;
	let listing = await listSendable(sending, sender.signal);
	for (let round = 1; ; round++) {
		sender.tally.begin(listing.bytes);
		const sent = await sendFiles(listing.files, settled, sender);
		blobs += sent.blobs;
		listing = await listSendable(sending, sender.signal);
		const unsettled = differences(listing, sent);
		if (unsettled.length === 0) return {files: sent.hashed, blobs};
		if (round === mostRounds) {
			throw new UploadError(
				`${some(unsettled)} changed while it was sent, ${mostRounds} times in a row. Wait until nothing writes to ${sending.folder}; the same command then resumes from here.`,
			);
		}
		sending.onChanged(unsettled);
		await wait((sending.pauseMs ?? defaultPauseMs) * 2 ** (round - 1), sender.signal);
		listing = await listSendable(sending, sender.signal);
	}
}

/** How often what the service misses of a committed dataset is sent again. */
const mostRepairs = 2;

/** The manifest of a dataset's files. The sha256 of a file in one piece is its blob's; of others the blobs vouch. */
export function manifestOf(files: readonly HashedFile[]): ManifestFile[] {
	return files.map(({path, size, blobs}) => ({
		path,
		size,
		...(blobs.length === 1 && {sha256: blobs[0]?.blob_id}),
		blobs: [...blobs],
	}));
}

/**
 * Commits an upload. Where the service does not hold all of it (it may have lost some since), that is sent again.
 *
 * @throws {ServiceError} 409 for a name that another dataset has, or an upload that is over.
 */
export async function commitFiles(
	client: Client,
	uploadId: string,
	files: readonly HashedFile[],
	sender: Sender,
): Promise<CommitResponse> {
	const {signal} = sender;
	for (let repairs = 0; ; repairs++) {
		try {
			return (await client.commitUpload(uploadId, {manifest: manifestOf(files)}, {signal})).data;
		} catch (error) {
			if (!(error instanceof ServiceError) || error.status !== 409 || repairs === mostRepairs) throw error;
			const {blobs} = await sendFiles(files, new Set(), sender);
			if (blobs === 0) throw error;
		}
	}
}
