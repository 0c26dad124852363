import {readFile, stat} from 'node:fs/promises';
import path from 'node:path';
import type {Config} from './config-schema.ts';
import {makeFolder} from './document.ts';
import {fileProblem, systemCode} from './file-problem.ts';
import {places, resolvePath, shortPath} from './places.ts';

/** Where the key of a profile is kept, or that of no profile. */
export function keyFileOf(profile: string | undefined): string {
	const folder = places().config;
	return profile === undefined ? path.join(folder, 'key') : path.join(folder, 'keys', profile);
}

/** A key that is there and must not or cannot be used. Its message is for people and does not hold the key. */
export class KeyFileError extends Error {
	override readonly name = 'KeyFileError';
}

async function readKeyFile(file: string, mustExist: boolean): Promise<string | undefined> {
	try {
		const found = await stat(file);
		if (found.isDirectory()) throw new KeyFileError(`The key file ${file} cannot be read: it is a folder.`);
		if ((found.mode & 0o077) !== 0) {
			throw new KeyFileError(`Others may read the key in ${file}, so it is not used. Run: chmod 600 ${file}`);
		}
		return (await readFile(file, 'utf8')).trim() || undefined;
	} catch (error) {
		if (error instanceof KeyFileError) throw error;
		if (systemCode(error) === 'ENOENT' && !mustExist) return undefined;
		throw new KeyFileError(`The key file ${file} cannot be read: ${fileProblem(error)}.`);
	}
}

const ofEnvironment = 'LAKESCOPE_API_KEY';

/** A key, and the place where it was found, for people. */
type LocatedKey = {readonly key: string; readonly place: string};

/** How a key is given, or another one in place of that which was found: the place that goes first must change. */
export function keyHelp(found: LocatedKey | undefined, profile: string | undefined): string {
	if (found?.place === ofEnvironment) return `Set another one as ${ofEnvironment}.`;
	const command = `lakescope key${profile === undefined ? '' : ` --profile ${profile}`}`;
	if (found) return `It is from ${found.place}: ${command} stores another one.`;
	return `Set it as ${ofEnvironment}, or store it with: ${command}`;
}

/**
 * The key for a hosted service: LAKESCOPE_API_KEY, or the configuration's `keyFile`, or the file `key` beside the
 * configuration, or the configuration's `key`; whichever is there first. Of a profile that was named, its own key goes
 * before that of the environment, which may be another service's; its file is `keys/NAME`.
 *
 * @throws {KeyFileError} when others may read a key file, or it cannot be read.
 */
export async function locateKey(
	config: Config,
	env: NodeJS.ProcessEnv = process.env,
	profile?: string,
): Promise<LocatedKey | undefined> {
	const given = env.LAKESCOPE_API_KEY?.trim();
	const fromEnvironment = given ? {key: given, place: ofEnvironment} : undefined;
	if (fromEnvironment !== undefined && profile === undefined) return fromEnvironment;
	const folder = places().config;
	const file = config.keyFile === undefined ? keyFileOf(profile) : resolvePath(config.keyFile, folder);
	const fromFile = await readKeyFile(file, config.keyFile !== undefined);
	if (fromFile !== undefined) return {key: fromFile, place: shortPath(file)};
	if (config.key !== undefined) return {key: config.key, place: 'the configuration'};
	return fromEnvironment;
}

/**
 * Keeps a key in a file for this user alone, whole or not at all.
 *
 * @returns the sentence that says why that failed; it does not hold the key.
 */
export async function writeKey(file: string, key: string): Promise<string | undefined> {
	try {
		await makeFolder(path.dirname(file));
		const {default: writeFileAtomic} = await import('write-file-atomic');
		await writeFileAtomic(file, `${key}\n`, {mode: 0o600});
		return undefined;
	} catch (error) {
		return `The key cannot be kept in ${shortPath(file)}: ${fileProblem(error)}.`;
	}
}
