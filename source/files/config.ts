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
	/** What of it was left out, each a sentence. */
	readonly problems: readonly string[];
};

async function othersMayRead(file: string): Promise<boolean> {
	const {mode} = await stat(file);
	return (mode & 0o077) !== 0;
}

/** Reads `config.json`. What is wrong with it is told and left out; nothing of it stops the program. */
export async function readConfig(): Promise<ConfigReading> {
	const file = path.join(places().config, 'config.json');
	const {value, problem} = await readDocument(file);
	if (problem !== undefined) return {config: {}, file, problems: [problem]};
	if (value === undefined) return {config: {}, file, problems: []};
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return {config: {}, file, problems: [`${file} holds no JSON object and is left out.`]};
	}
	// The schemas are loaded only where there is something to check.
	const {configEntries} = await import('./config-schema.ts');
	const problems: string[] = [];
	const config: Record<string, unknown> = {};
	for (const [name, given] of Object.entries(value)) {
		const schema = Object.hasOwn(configEntries, name)
			? configEntries[name as keyof typeof configEntries]
			: undefined;
		if (!schema) {
			const known = Object.keys(configEntries).join(', ');
			problems.push(`${file}: "${name}" is not known and is left out. Known are ${known}.`);
			continue;
		}
		const read = schema.safeParse(given);
		if (read.success) config[name] = read.data;
		else problems.push(`${file}: "${name}" is left out: ${read.error.issues[0]?.message ?? 'not readable'}.`);
	}
	const profiles = Object.values((config as Config).profiles ?? {});
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
