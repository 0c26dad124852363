import type {z} from 'zod';
import {type Config, configEntries, profileEntries, profileName} from './config-schema.ts';

/** An entry that was left out. */
export type WrongEntry = {
	readonly sentence: string;
	/** It chooses, or may have chosen, the service or what may be done there. */
	readonly isDecisive: boolean;
};

type Entries = {-readonly [Name in keyof Config]: Config[Name]};

const decisive: ReadonlySet<string> = new Set(['url', 'account', 'lake', 'profile', 'profiles', 'readOnly']);

const names = Object.keys(configEntries);

/** The entry that was meant by a name in another spelling: `readonly`, `read_only`. */
function meantBy(name: string): string | undefined {
	const letters = name.replaceAll(/[-_]/g, '').toLowerCase();
	return names.find(each => each.toLowerCase() === letters);
}

function unknown(name: string): WrongEntry {
	const meant = meantBy(name);
	const hint = meant === undefined ? `Known entries: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
	const isDecisive = meant !== undefined && decisive.has(meant);
	return {sentence: `"${name}" is unknown and ignored. ${hint}`, isDecisive};
}

function leftOut(name: string, {issues: [issue]}: z.ZodError): WrongEntry {
	const why = issue?.message ?? 'not readable';
	return {sentence: `"${name}" is left out: ${why}.`, isDecisive: decisive.has(name)};
}

/** Checks each profile by itself. An invalid profile is dropped whole, so that no call goes to another service. */
function readProfiles(given: object, wrong: WrongEntry[]): NonNullable<Config['profiles']> {
	const profiles: NonNullable<Config['profiles']> = {};
	for (const [name, entries] of Object.entries(given)) {
		const read = profileName.safeParse(name);
		const profile = profileEntries.safeParse(entries);
		const [issue] = profile.error?.issues ?? [];
		const place = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
		const why = read.error?.issues[0]?.message ?? (issue && `${place}${issue.message}`);
		if (read.success && profile.success) profiles[name] = profile.data;
		else wrong.push({sentence: `the profile "${name}" is left out: ${why}.`, isDecisive: false});
	}
	return profiles;
}

/** Reads the entries of a configuration, each by itself. */
export function readEntries(given: object): {config: Entries; wrong: readonly WrongEntry[]} {
	const config: Record<string, unknown> = {};
	const wrong: WrongEntry[] = [];
	for (const [name, value] of Object.entries(given)) {
		if (!Object.hasOwn(configEntries, name)) {
			wrong.push(unknown(name));
		} else if (name === 'profiles' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
			config[name] = readProfiles(value, wrong);
		} else {
			const read = configEntries[name as keyof typeof configEntries].safeParse(value);
			if (read.success) config[name] = read.data;
			else wrong.push(leftOut(name, read.error));
		}
	}
	return {config, wrong};
}
