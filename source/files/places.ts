import {homedir} from 'node:os';
import path from 'node:path';
import envPaths from 'env-paths';

/** Where lakescope keeps its files; XDG's places on Linux. Read anew each time, so that the environment rules. */
type Places = {
	/** `config.json`, `key`. */
	readonly config: string;
	/** The lake and the sample. */
	readonly data: string;
	/** State kept between runs. */
	readonly state: string;
	/** Cache: may be deleted at any time. */
	readonly cache: string;
	/** The lake that is used when none is named. */
	readonly lake: string;
	/** The sample's lake. */
	readonly sample: string;
};

export function places(): Places {
	const {config, data, cache, log: state} = envPaths('lakescope', {suffix: ''});
	return {config, data, state, cache, lake: path.join(data, 'lake'), sample: path.join(data, 'sample')};
}

/** A path as people write it: `~/x` from the home folder, a relative one from `base`. */
export function resolvePath(written: string, base: string): string {
	if (written === '~' || written.startsWith('~/')) return path.join(homedir(), written.slice(1));
	return path.resolve(base, written);
}

/** A path as people like to read it: the home folder as `~`. */
export function shortPath(absolute: string): string {
	const home = homedir();
	return absolute === home || absolute.startsWith(home + path.sep)
		? `~${absolute.slice(home.length)}`
		: absolute;
}
