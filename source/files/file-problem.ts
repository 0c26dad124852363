const reasons: Readonly<Record<string, string>> = {
	EACCES: 'permission denied',
	EPERM: 'operation not permitted',
	EROFS: 'the file system is read-only',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk quota is used up',
	ENOTDIR: 'a part of the path is a file, not a folder',
	EISDIR: 'it is a folder',
	EEXIST: 'a file of that name is in the way',
	ENOENT: 'no such file or folder',
};

/** The code of a system error. */
export function systemCode(error: unknown): string | undefined {
	return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What a system error says, in words that go after a colon. */
export function fileProblem(error: unknown): string {
	const code = systemCode(error);
	return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
}
