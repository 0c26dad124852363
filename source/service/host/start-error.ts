import {fileProblem, isFileCode} from '../../files/file-problem.ts';

/** The service cannot be started or joined. Its message is a whole sentence for the person at the terminal. */
export class ServiceStartError extends Error {
	override readonly name = 'ServiceStartError';
}

/** SQLITE_FULL */
const sqliteFull = 13;
const diskFull = Object.assign(new Error('the disk is full'), {code: 'ENOSPC'});

/** A system error in words: `permission denied` for EACCES; a full disk also where SQLite reports it. */
export function systemReason(error: unknown): string {
	const {errcode} = (error ?? {}) as {errcode?: number};
	return fileProblem(errcode === sqliteFull ? diskFull : error);
}

/** The sentence for a lake folder that cannot be made, read or written. */
export function lakeFolderProblem(folder: string, error: unknown): ServiceStartError {
	const wayOut = 'Choose another folder with --lake DIR or LAKESCOPE_LAKE, or fix this one.';
	return new ServiceStartError(`Cannot use the lake folder ${folder}: ${systemReason(error)}. ${wayOut}`, {
		cause: error,
	});
}

/** An error of a service's start as the sentence for it, where it is the disk's or the folder's doing. */
export function startProblem(folder: string, error: unknown): unknown {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	const isOfDisk = typeof code === 'string' && (code === 'ERR_SQLITE_ERROR' || isFileCode(code));
	return isOfDisk ? lakeFolderProblem(folder, error) : error;
}
