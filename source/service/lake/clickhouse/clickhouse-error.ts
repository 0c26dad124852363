import {LakeError, type LakeErrorReason} from '../engine.ts';

type Told = {readonly reason: LakeErrorReason; readonly say: (name: string, text: string) => string};

/** By the type of error that ClickHouse gives. */
const byType: Readonly<Record<string, Told>> = {
	AUTHENTICATION_FAILED: {
		reason: 'denied',
		say: name =>
			`${name} refused the user or the password: set LAKESCOPE_CLICKHOUSE_PASSWORD, or another user.`,
	},
	REQUIRED_PASSWORD: {
		reason: 'denied',
		say: name => `${name} asks for a password: set LAKESCOPE_CLICKHOUSE_PASSWORD.`,
	},
	WRONG_PASSWORD: {
		reason: 'denied',
		say: name => `${name} refused the password: set another LAKESCOPE_CLICKHOUSE_PASSWORD.`,
	},
	ACCESS_DENIED: {
		reason: 'denied',
		say: (name, text) =>
			`${name} does not let this user do that (${text}): ask for the grant, or take another user.`,
	},
	READONLY: {
		reason: 'denied',
		say: name => `${name} lets this user read alone: take a user that may write.`,
	},
	TABLE_IS_READ_ONLY: {
		reason: 'denied',
		say: name =>
			`${name} is read-only at the moment: its tables have lost their keeper; try again once it is back.`,
	},
	UNKNOWN_DATABASE: {
		reason: 'not-a-lake',
		say: name => `${name} has no such database: create it, or name another in the address.`,
	},
	MEMORY_LIMIT_EXCEEDED: {
		reason: 'failed',
		say: name =>
			`${name} has not enough memory for this: narrow the filter, or give its user more (max_memory_usage).`,
	},
	NOT_ENOUGH_SPACE: {reason: 'full', say: name => `There is no room left on the disks of ${name}.`},
	TOO_MANY_SIMULTANEOUS_QUERIES: {
		reason: 'failed',
		say: name => `${name} answers too many others at the moment: try again later.`,
	},
};

/** Codes of a connection that did not come about, or ended. */
const unreachable = new Set([
	'ECONNREFUSED',
	'ECONNRESET',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ETIMEDOUT',
	'EPIPE',
	'UND_ERR_SOCKET',
]);

/** Says what a server or the way to it reported as a LakeError; one that is a LakeError already stays as it is. */
export function asLakeError(error: unknown, name: string): LakeError {
	if (error instanceof LakeError) return error;
	const {type, code, message} = error as {type?: string; code?: string; message?: string};
	const text = (message ?? String(error)).split('\n', 1)[0] ?? '';
	const known = type === undefined ? undefined : byType[type];
	if (known) return new LakeError(known.reason, known.say(name, text), {cause: error});
	if (code !== undefined && unreachable.has(code)) {
		return new LakeError(
			'failed',
			`${name} cannot be reached (${code}): see whether the server runs and the address is right, and try again.`,
			{cause: error},
		);
	}
	return new LakeError('failed', `${name} failed: ${text}`, {cause: error});
}
