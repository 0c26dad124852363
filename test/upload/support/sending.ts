import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {onTestFinished} from 'vitest';
import {type Client, createClient} from '../../../source/client/client.ts';
import {openDispatcher} from '../../../source/client/dispatcher.ts';
import type {RetryPolicy} from '../../../source/client/retry.ts';
import {RateLimit} from '../../../source/upload/blob-source.ts';
import {embeddedDestination} from '../../../source/upload/destination.ts';
import {HashPool} from '../../../source/upload/hash-pool.ts';
import {Journal} from '../../../source/upload/journal.ts';
import {type Sender, UploadTally} from '../../../source/upload/send-files.ts';
import {type FolderSending, sendFolder} from '../../../source/upload/send-folder.ts';
import type {Address} from '../../service/support/call.ts';

/** As patient as an upload, but quicker. */
export const quickRetry: RetryPolicy = {tries: 8, firstDelayMs: 4, maxDelayMs: 3000};

export type SenderOptions = {
	readonly uploadId?: string;
	readonly retry?: RetryPolicy;
	readonly bytesPerSecond?: number;
	/** What the journal is kept for. @default 'some folder' */
	readonly folder?: string;
	readonly headersMs?: number;
	readonly signal?: AbortSignal;
};

export function clientOf({url, key}: Address): Client {
	const client = createClient({baseUrl: url, key});
	onTestFinished(() => client.close());
	return client;
}

/** What a command sends with; all of it is let go at the end of the test. */
export async function senderTo(service: Address, options: SenderOptions = {}): Promise<Sender> {
	const {uploadId, retry = quickRetry, bytesPerSecond = Number.POSITIVE_INFINITY} = options;
	const pool = new HashPool(2);
	const dispatcher = await openDispatcher({
		loopback: true,
		extraCertificates: undefined,
		connectMs: 5000,
		keepAlive: true,
	});
	const key = {service: 'the service', folder: options.folder ?? 'some folder'};
	const journal = new Journal(key, sentence => {
		throw new Error(sentence);
	});
	onTestFinished(async () => {
		await pool.close();
		await dispatcher.destroy();
		journal.remove();
	});
	return {
		destination: embeddedDestination(clientOf(service), false, uploadId),
		journal,
		pool,
		dispatcher,
		limit: new RateLimit(bytesPerSecond),
		lanes: 4,
		timeouts: {connect: 5000, headers: options.headersMs ?? 5000, body: 5000},
		retry,
		tally: new UploadTally(),
		signal: options.signal ?? new AbortController().signal,
	};
}

/** Sends a folder without waiting long for it to come to rest. */
export function sendAll(folder: string, sender: Sender, more: Partial<FolderSending> = {}) {
	return sendFolder({folder, tolerated: new Set(), onChanged: () => undefined, pauseMs: 5, ...more}, sender);
}

/** Writes files below a folder. */
export async function writeFiles(
	folder: string,
	files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
	for (const [name, content] of Object.entries(files)) {
		const file = path.join(folder, name);
		await mkdir(path.dirname(file), {recursive: true});
		await writeFile(file, content);
	}
	return folder;
}

/** Numbered small files, each of its own content, which begins with `salt`. */
export function manyFiles(count: number, salt: string, bytes = 64): Record<string, string> {
	return Object.fromEntries(
		Array.from({length: count}, (_, i) => [
			`data/file-${String(i).padStart(4, '0')}`,
			`${salt} ${i} `.padEnd(bytes, '.'),
		]),
	);
}
