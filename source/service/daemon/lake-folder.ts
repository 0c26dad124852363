import {readdir, realpath} from 'node:fs/promises';
import path from 'node:path';
import {makeFolder} from '../../files/document.ts';
import {tightenFile, tightenFolder} from '../../files/private-files.ts';
import {lakeFolderProblem} from '../host/start-error.ts';
import {lakeFiles} from './lake-engine.ts';

/**
 * Makes a lake's folder when it is not there, for this user alone.
 *
 * @returns its real path
 * @throws {ServiceStartError} when it cannot be made or reached
 */
export async function prepareLakeFolder(folder: string): Promise<string> {
	try {
		await makeFolder(path.resolve(folder));
		return await realpath(folder);
	} catch (error) {
		throw lakeFolderProblem(folder, error);
	}
}

/** The service's own files in a lake's folder, which may be one that holds others too. */
const ownFile = /^(operations\.db|service\.(lock|log|json)|access\.log|refused\.log)/;
const isOwn = (name: string) => name.startsWith(lakeFiles.database) || ownFile.test(name);

/** A job's files that are not what its trainer makes. */
const jobFile = /^(train\.log|exit-\d+)/;

const namesIn = (folder: string) => readdir(folder).catch(() => []);

/**
 * Removes other users' permissions from a lake's files; a folder that existed with 0755 lets all users in. Must be
 * called before the lake is locked: a user who may read `service.lock` could lock the service out.
 */
export async function tightenLake(folder: string): Promise<void> {
	const own = (await namesIn(folder)).filter(isOwn);
	await Promise.all(own.map(name => tightenFile(path.join(folder, name))));
}

/** The same for files deeper down; no caller waits for this. */
export async function tightenBelowLake(folder: string): Promise<void> {
	for (const name of [lakeFiles.temporary, 'staging']) await tightenFolder(path.join(folder, name));
	for (const job of await namesIn(path.join(folder, 'jobs'))) {
		const place = path.join(folder, 'jobs', job);
		const own = (await namesIn(place)).filter(name => jobFile.test(name));
		await Promise.all(own.map(name => tightenFile(path.join(place, name))));
	}
}
