import type {Config} from './config-schema.ts';

/** A service and account of the configuration, under a name. */
export type Profile = {readonly name: string; readonly config: Config};

/** What a profile says for itself: nothing of this is taken from outside of it, least of all a key. */
const own = ['url', 'account', 'lake', 'key', 'keyFile', 'caFile', 'allowHttp'] as const;

/** The names of the profiles there are. */
export function profileNames({profiles = {}}: Config): readonly string[] {
	return Object.keys(profiles);
}

/** A profile by its name, with what it leaves to the rest of the configuration; undefined where there is none. */
export function findProfile(whole: Config, name: string): Profile | undefined {
	const {profiles = {}} = whole;
	if (!Object.hasOwn(profiles, name)) return undefined;
	const shared = Object.fromEntries(
		Object.entries(whole).filter(([entry]) => !own.some(each => each === entry)),
	);
	return {name, config: {...shared, ...profiles[name]} as Config};
}
