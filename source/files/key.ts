import {readFile, stat} from 'node:fs/promises';
import path from 'node:path';
import type {Config} from './config-schema.ts';
import {fileProblem, systemCode} from './file-problem.ts';
import {places, resolvePath, shortPath} from './places.ts';

/** A key that is there and must not or cannot be used. Its message is for people and does not hold the key. */
export class KeyFileError extends Error {
	override readonly name = 'KeyFileError';
}

async function readKeyFile(file: string, mustExist: boolean): Promise<string | undefined> {
	try {
		const {mode} = await stat(file);
		if ((mode & 0o077) !== 0) {
			throw new KeyFileError(`Others may read the key in ${file}, so it is not used. Run: chmod 600 ${file}`);
		}
		return (await readFile(file, 'utf8')).trim() || undefined;
	} catch (error) {
		if (error instanceof KeyFileError) throw error;
		if (systemCode(error) === 'ENOENT' && !mustExist) return undefined;
		throw new KeyFileError(`The key file ${file} cannot be read: ${fileProblem(error)}.`);
	}
}

/**
 * The key for a hosted service: LAKESCOPE_API_KEY, or the configuration's `keyFile`, or the file `key` beside the
 * configuration, or the configuration's `key`; whichever is there first.
 *
 * @throws {KeyFileError} when others may read a key file, or it cannot be read.
 */
export async function findKey(
	config: Config,
	env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
	return (await locateKey(config, env))?.key;
}

/** The same with the place where it was found, for people. */
export async function locateKey(
	config: Config,
	env: NodeJS.ProcessEnv = process.env,
): Promise<{readonly key: string; readonly place: string} | undefined> {
	const fromEnvironment = env.LAKESCOPE_API_KEY?.trim();
	if (fromEnvironment) return {key: fromEnvironment, place: 'LAKESCOPE_API_KEY'};
	const folder = places().config;
	const file = config.keyFile === undefined ? path.join(folder, 'key') : resolvePath(config.keyFile, folder);
	const fromFile = await readKeyFile(file, config.keyFile !== undefined);
	if (fromFile !== undefined) return {key: fromFile, place: shortPath(file)};
	return config.key === undefined ? undefined : {key: config.key, place: 'the configuration'};
}
