import {statfs} from 'node:fs/promises';
import {positiveNumber} from './environment.ts';

const mebibyte = 1024 ** 2;

/** Bytes that ingests and uploads leave free: the databases need room even where a lake is only read. */
const reserveBytes = 64 * mebibyte;

/** The reserve, which tests make as large as the disk. */
const reserve = () => positiveNumber(process.env.LAKESCOPE_RESERVE_BYTES) ?? reserveBytes;

const mebibytes = (bytes: number) => `${Math.floor(bytes / mebibyte).toLocaleString('en-US')} MiB`;

/**
 * Why there is no room for something of `bytes` on the disk of a folder, in words that a sentence ends with; undefined
 * where there is room, or that cannot be told.
 */
export async function noRoomFor(folder: string, bytes = 0): Promise<string | undefined> {
	const found = await statfs(folder).catch(() => undefined);
	if (found === undefined) return undefined;
	const free = found.bavail * found.bsize;
	if (free - bytes >= reserve()) return undefined;
	return `${mebibytes(free)} are free on the disk of ${folder}, of which ${mebibytes(reserve())} are kept so that the lake can be read: free some, and try again`;
}
