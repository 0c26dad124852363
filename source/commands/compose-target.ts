import {randomUUID} from 'node:crypto';
import {constants, existsSync} from 'node:fs';
import {cp, mkdir, rename, rm} from 'node:fs/promises';
import path from 'node:path';
import {lerobotHome} from '../files/datasets-on-disk.ts';
import type {Flags} from './flags.ts';
import {UsageError} from './print/failure.ts';

/** Where a composed dataset is copied to, out of the lake. */
export type ComposeTarget = {
	readonly folder: string;
	/** `ME/NAME`; undefined where it is given none. */
	readonly repoId: string | undefined;
};

/** As the Hub takes a name. */
const repoIdForm = /^(?!.*(?:--|\.\.))[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/**
 * Where `--to` and `--repo-id` put a dataset: below a folder, by its name of the Hub or its name in the lake; without `--to`
 * where LeRobot finds it by that name.
 *
 * @throws {UsageError} for a name that is none, or a place that is taken
 */
export function composeTarget(name: string, flags: Flags): ComposeTarget | undefined {
	const {to, 'repo-id': repoId} = flags;
	if (to === undefined && repoId === undefined) return undefined;
	if (repoId !== undefined && !repoIdForm.test(repoId)) {
		throw new UsageError(`--repo-id is ORG/NAME, as the Hub has it, and ${JSON.stringify(repoId)} is not.`);
	}
	const folder = path.join(to === undefined ? lerobotHome() : path.resolve(to), repoId ?? name);
	if (existsSync(folder)) {
		throw new UsageError(`${folder} exists already and is not overwritten. Give another place or name.`);
	}
	return {folder, repoId};
}

/**
 * Copies a dataset: it appears whole or not at all. Nothing of the copy is shared with the lake, so that whatever edits it
 * changes it alone; where the disk can, it takes no room.
 */
export async function copyDataset(from: string, {folder}: ComposeTarget): Promise<void> {
	const parent = path.dirname(folder);
	await mkdir(parent, {recursive: true});
	const partial = path.join(parent, `.${path.basename(folder)}.partial-${process.pid}-${randomUUID()}`);
	try {
		await cp(from, partial, {recursive: true, mode: constants.COPYFILE_FICLONE});
		await rename(partial, folder);
	} catch (error) {
		await rm(partial, {recursive: true, force: true}).catch(() => undefined);
		throw error;
	}
}
