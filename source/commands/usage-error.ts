/** The command line cannot be understood or carried out as it stands: exit code 2. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}
