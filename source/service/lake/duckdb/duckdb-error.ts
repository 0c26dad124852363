import {LakeError} from '../engine.ts';

/** DuckDB tells its errors apart by text alone; each pattern here is one that it was seen to give. */
const known: ReadonlyArray<{pattern: RegExp; say: (file: string, found: RegExpMatchArray) => LakeError}> = [
	{
		pattern: /Could not set lock on file[\s\S]*?\(PID (\d+)\)/,
		say: (file, found) => locked(file, `process ${found[1]}`),
	},
	{pattern: /Could not set lock on file/, say: file => locked(file, 'another process')},
	{
		pattern: /No space left on device|Disk quota exceeded|File too large|failed to write.*disk/i,
		say: file =>
			new LakeError(
				'full',
				`There is no room left on the disk for the lake ${file}: free some and try again.`,
			),
	},
	{
		pattern: /Permission denied|Read-only file system|Operation not permitted/,
		say: file =>
			new LakeError(
				'denied',
				`The lake ${file} may not be written by this user: change its permissions, or choose another folder with --lake.`,
			),
	},
	{
		pattern: /database file with version number (\d+), but we can only read versions? ([^\n.]+)/,
		say: (file, found) =>
			new LakeError(
				'newer',
				`The lake ${file} is stored in DuckDB's format ${found[1]}, and this lakescope reads ${found[2]}: update lakescope, or choose another folder with --lake.`,
			),
	},
	{
		pattern:
			/not a valid DuckDB database file|Corrupt database file|checksum|Could not read (?:enough bytes )?from file|Is a directory|Failed to load metadata|Serialization Error/i,
		say: file =>
			new LakeError(
				'not-a-lake',
				`The file ${file} is damaged or no lake: move it away and ingest the datasets again, or choose another folder with --lake.`,
			),
	},
	{
		pattern: /database has been invalidated/i,
		say: file =>
			new LakeError(
				'failed',
				`The lake ${file} was closed by an earlier failure of the disk: what was published is safe; start the service again.`,
			),
	},
];

/** The error that another owner of a lake file causes; `owner` names it. */
export function locked(file: string, owner: string): LakeError {
	return new LakeError(
		'locked',
		`The lake ${file} is open in ${owner}, and only one may have it: end that one, or choose another folder with --lake.`,
	);
}

/** Says what DuckDB reported about `file` as a LakeError; one that is a LakeError already stays as it is. */
export function asLakeError(error: unknown, file: string): LakeError {
	if (error instanceof LakeError) return error;
	const text = error instanceof Error ? error.message : String(error);
	for (const {pattern, say} of known) {
		const found = text.match(pattern);
		if (found) return Object.assign(say(file, found), {cause: error});
	}
	return new LakeError('failed', `The lake ${file} failed: ${text.split('\n', 1)[0]}`, {cause: error});
}
