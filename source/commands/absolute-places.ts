import {isAbsolute} from 'node:path';

const places = [
	'HOME',
	'XDG_CONFIG_HOME',
	'XDG_DATA_HOME',
	'XDG_STATE_HOME',
	'XDG_CACHE_HOME',
	'XDG_RUNTIME_DIR',
] as const;

/**
 * Forgets places that are named by no absolute path, as the XDG base directory specification asks for: with an empty
 * HOME a lake would be made in whatever folder the program is started in. The home folder is that of the user then.
 */
export function forgetRelativePlaces(env: NodeJS.ProcessEnv): void {
	for (const name of places) if (!isAbsolute(env[name] ?? '')) delete env[name];
}
