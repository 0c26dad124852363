/** Variables that hold a key or a password of ours; what a trainer needs itself (HF_TOKEN, WANDB_API_KEY) is none. */
const secretName = /^(LAKESCOPE|CLICKHOUSE)_(.*_)?(KEY|PASSWORD|SECRET|TOKEN)$/;

/** A variable of ours may hold a password within an address too. */
const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]+@/i;

function isSecret(name: string, value: string | undefined): boolean {
	if (secretName.test(name)) return true;
	return /^(LAKESCOPE|CLICKHOUSE)_/.test(name) && addressWithPassword.test(value ?? '');
}

/** Under which a child finds the umask of the person who started the service. */
const umaskName = 'LAKESCOPE_UMASK';

/** The job whose process this is, and all those that it starts, in whichever session they end up. */
export const jobVariable = 'LAKESCOPE_JOB_ID';

let personsUmask: number | undefined;

/** An environment without what only this process may know, or what is said of this process alone. */
export function withoutSecrets(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(env).filter(
			([name, value]) => !isSecret(name, value) && name !== umaskName && name !== jobVariable,
		),
	);
}

/**
 * From now on this process makes files for its user alone, whatever the umask was: also those that SQLite and DuckDB make
 * beside their own.
 *
 * @returns what ends that
 */
export function keepFilesPrivate(): () => void {
	const before = process.umask(0o077);
	personsUmask ??= before;
	return () => {
		process.umask(before);
		personsUmask = undefined;
	};
}

/** The environment of a process of this program's own. */
export function childEnvironment(): NodeJS.ProcessEnv {
	if (personsUmask === undefined) return withoutSecrets();
	return {...withoutSecrets(), [umaskName]: personsUmask.toString(8)};
}

/** From now on this process writes datasets: their files follow the umask of the person who started the service. */
export function followUmask(): void {
	const umask = process.env[umaskName];
	if (umask !== undefined) process.umask(umask);
}

/** A command of the person's own, to be run under their umask. */
export function underUmask(command: readonly string[]): readonly string[] {
	if (personsUmask === undefined) return command;
	return ['/bin/sh', '-c', 'umask "$0" && exec "$@"', personsUmask.toString(8), ...command];
}
