const reasons: Readonly<Record<string, string>> = {
	EACCES: 'permission denied',
	EPERM: 'operation not permitted',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	ENOTDIR: 'a part of the path is a file, not a folder',
	EISDIR: 'it is a folder',
	ELOOP: 'too many symbolic links',
	ENAMETOOLONG: 'the path is too long',
	EMFILE: 'too many open files',
	EEXIST: 'a file of that name is in the way',
	ENOENT: 'no such file or folder',
};

/** The code of a system error. */
export function systemCode(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** True if a code describes a fault of a file or its disk. */
export function isFileCode(code: string): boolean {
	return Object.hasOwn(reasons, code);
}

/** A system error in words that fit after a colon. */
export function fileProblem(error: unknown): string {
	const code = systemCode(error);
	return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
}
