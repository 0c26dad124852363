import {stat} from 'node:fs/promises';
import path from 'node:path';
import type {Config} from './config-schema.ts';
import {readDocument} from './document.ts';
import {places} from './places.ts';

export type {Config} from './config-schema.ts';

export type ConfigReading = {
	readonly config: Config;
	/** The file that was read, or would be. */
	readonly file: string;
	/** A sentence for each dropped entry. */
	readonly problems: readonly string[];
};

async function othersMayRead(file: string): Promise<boolean> {
	const {mode} = await stat(file);
	return (mode & 0o077) !== 0;
}

/** The dropped entry may have named another service, or forbidden changes. */
const untilThen = 'Nothing can be changed until this is fixed.';

/**
 * Reads `config.json`. Invalid entries are reported and dropped; none stops the program. If a dropped entry may have
 * chosen the service or forbidden changes, the configuration counts as read-only.
 */
export async function readConfig(): Promise<ConfigReading> {
	const file = path.join(places().config, 'config.json');
	const {value, problem} = await readDocument(file);
	const nothing = (why: string) => ({config: {readOnly: true}, file, problems: [`${why} ${untilThen}`]});
	if (problem !== undefined) return nothing(problem);
	if (value === undefined) return {config: {}, file, problems: []};
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return nothing(`${file} is not a JSON object and is left out.`);
	}
	// The schemas are loaded only where there is something to check.
	const {readEntries} = await import('./config-entries.ts');
	const {config, wrong} = readEntries(value);
	const problems = wrong.map(({sentence}) => `${file}: ${sentence}`);
	if (wrong.some(({isDecisive}) => isDecisive)) {
		config.readOnly = true;
		problems.push(untilThen);
	}
	const profiles = Object.values(config.profiles ?? {});
	const holdsKey = 'key' in config || profiles.some(({key}) => key !== undefined);
	if (holdsKey && (await othersMayRead(file))) {
		delete config.key;
		for (const profile of profiles) delete profile.key;
		problems.push(
			`${file} holds a key and others may read it, so the key is left out. Run: chmod 600 ${file}`,
		);
	}
	return {config, file, problems};
}

/** A service and account of the configuration, under a name. */
export type Profile = {readonly name: string; readonly config: Config};

/** Entries that a profile never takes from the rest of the configuration, least of all a key. */
const own = ['url', 'account', 'lake', 'key', 'keyFile', 'caFile', 'allowHttp'] as const;

/** The names of the profiles there are. */
export function profileNames({profiles = {}}: Config): readonly string[] {
	return Object.keys(profiles);
}

/** A profile by its name, completed by the rest of the configuration; undefined where there is none. */
export function findProfile(whole: Config, name: string): Profile | undefined {
	const {profiles = {}} = whole;
	if (!Object.hasOwn(profiles, name)) return undefined;
	const shared = Object.fromEntries(
		Object.entries(whole).filter(([entry]) => !own.some(each => each === entry)),
	);
	return {name, config: {...shared, ...profiles[name]} as Config};
}
