import {createHash} from 'node:crypto';
import {closeSync, openSync, readSync} from 'node:fs';
import {parentPort} from 'node:worker_threads';
import type {HashAnswer, HashTask} from './hash-pool.ts';

/** The thread that hashes pieces of files, one after the other; waiting for a disk here blocks nothing else. */

const buffer = Buffer.allocUnsafe(1024 * 1024);

function sha256Of({file, offset, length}: HashTask): string | undefined {
	const hash = createHash('sha256');
	const handle = openSync(file, 'r');
	try {
		for (let done = 0; done < length; ) {
			const read = readSync(handle, buffer, 0, Math.min(buffer.byteLength, length - done), offset + done);
			if (read === 0) return undefined;
			hash.update(buffer.subarray(0, read));
			done += read;
		}
	} finally {
		closeSync(handle);
	}
	return hash.digest('hex');
}

function answerTo(task: HashTask): HashAnswer {
	try {
		const sha256 = sha256Of(task);
		return sha256 === undefined ? {kind: 'short'} : {kind: 'hashed', sha256};
	} catch (error) {
		const {code, message} = error as NodeJS.ErrnoException;
		return {kind: 'unreadable', code, message};
	}
}

parentPort?.on('message', (task: HashTask) => parentPort?.postMessage(answerTo(task)));
