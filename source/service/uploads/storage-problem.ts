import {Refusal} from '../host/refusal.ts';
import {systemReason} from '../host/start-error.ts';

const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** SQLite's own codes for the same. */
const sqliteFull = 13;
const sqliteReadOnly = 8;
const sqliteFailed = 10;

function sqliteCode(error: unknown): number | undefined {
	const code = (error as {errcode?: unknown} | undefined)?.errcode;
	return typeof code === 'number' ? code & 0xff : undefined;
}

/** True for an error of the machine: its disk, its permissions. */
function isOfTheMachine(error: unknown): boolean {
	const code = (error as NodeJS.ErrnoException | undefined)?.code;
	return (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) || sqliteCode(error) !== undefined;
}

function isFull(error: unknown): boolean {
	const code = (error as NodeJS.ErrnoException | undefined)?.code;
	return (code !== undefined && noRoom.has(code)) || sqliteCode(error) === sqliteFull;
}

function reasonOf(error: unknown): string {
	const code = (error as NodeJS.ErrnoException | undefined)?.code;
	if (code === 'EIO') return 'the disk failed (input/output error)';
	if (sqliteCode(error) === sqliteReadOnly) return 'the file system is read-only';
	if (sqliteCode(error) === sqliteFailed) return 'the disk failed, or has no room left';
	return systemReason(error);
}

/** The sentence for what the lake's disk would not do; undefined for errors that are not its. */
export function storageSentence(error: unknown, what: string, folder: string): string | undefined {
	if (!isOfTheMachine(error)) return undefined;
	if (isFull(error)) {
		return `There is no room left for ${what} on the disk of ${folder}: free some, and send it again. What was stored before is safe.`;
	}
	return `${what} could not be stored in ${folder}: ${reasonOf(error)}. What was stored before is safe.`;
}

/**
 * The refusal for what the lake's disk would not do: 507 where it has no room, 500 otherwise. Other errors come back
 * as they are.
 *
 * @param what the thing that was to be stored, as a sentence begins or goes on with it
 */
export function storageProblem(error: unknown, what: string, folder: string): unknown {
	const sentence = storageSentence(error, what, folder);
	return sentence === undefined ? error : new Refusal(isFull(error) ? 'no-room' : 'failed', sentence);
}
