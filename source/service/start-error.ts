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

/** What a system error says, in words: `permission denied` for EACCES. */
export function systemReason(error: unknown): string {
	const code = (error as NodeJS.ErrnoException | undefined)?.code;
	return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
}

/** The sentence for a lake folder that cannot be made, read or written. */
export function lakeFolderProblem(folder: string, error: unknown): ServiceStartError {
	const wayOut = 'Choose another folder with --lake DIR or LAKESCOPE_LAKE, or set this one right.';
	return new ServiceStartError(`Cannot use the lake folder ${folder}: ${systemReason(error)}. ${wayOut}`, {
		cause: error,
	});
}
