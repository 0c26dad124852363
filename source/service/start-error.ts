/** The service cannot be started or joined. Its message is a whole sentence for the person at the terminal. */
export class ServiceStartError extends Error {
	override readonly name = 'ServiceStartError';
}

const reasons: Record<string, string> = {
	EACCES: 'permission denied',
	EPERM: 'operation not permitted',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	ENOTDIR: 'a part of the path is a file, not a folder',
	EEXIST: 'a file of that name is in the way',
	ELOOP: 'too many symbolic links',
	ENAMETOOLONG: 'the path is too long',
	EMFILE: 'too many open files',
	ENOENT: 'no such file or folder',
};

/** SQLITE_FULL */
const sqliteFull = 13;

/** What a system error says, in words: `permission denied` for EACCES. */
export function systemReason(error: unknown): string {
	const {code: given, errcode} = (error ?? {}) as NodeJS.ErrnoException & {errcode?: number};
	const code = errcode === sqliteFull ? 'ENOSPC' : given;
	return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
}

/** The sentence for a lake folder that cannot be made, read or written. */
export function lakeFolderProblem(folder: string, error: unknown): ServiceStartError {
	const wayOut = 'Choose another folder with --lake DIR or LAKESCOPE_LAKE, or set this one right.';
	return new ServiceStartError(`Cannot use the lake folder ${folder}: ${systemReason(error)}. ${wayOut}`, {
		cause: error,
	});
}

/** An error of a service's start as the sentence for it, where it is the disk's or the folder's doing. */
export function startProblem(folder: string, error: unknown): unknown {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	const isOfDisk = typeof code === 'string' && (code === 'ERR_SQLITE_ERROR' || Object.hasOwn(reasons, code));
	return isOfDisk ? lakeFolderProblem(folder, error) : error;
}
