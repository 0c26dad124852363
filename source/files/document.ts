import {mkdir, readFile, rename, stat} from 'node:fs/promises';
import path from 'node:path';
import type {z} from 'zod';
import {fileProblem, systemCode} from './file-problem.ts';
import {readFileOrPipe} from './read-file.ts';

/** For zod: no function is made of a schema that is used once. */
const interpreted = {jitless: true} as const;

/** A JSON file that was read, or why it was not; neither when there is none. */
type DocumentReading = {readonly value?: unknown; readonly problem?: string};

/** Reads a JSON file. */
export async function readDocument(file: string): Promise<DocumentReading> {
	try {
		return {value: JSON.parse(withoutMark((await readFileOrPipe(file)).toString('utf8'))) as unknown};
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return {};
		if (error instanceof SyntaxError)
			return {problem: `${file} is not JSON (${error.message}) and is left out.`};
		return {problem: `${file} cannot be read: ${fileProblem(error)}.`};
	}
}

/**
 * Writes a JSON file whole or not at all, for this user's eyes alone.
 *
 * @returns the sentence that says why it could not be written.
 */
export async function writeDocument(file: string, value: unknown): Promise<string | undefined> {
	try {
		await makeFolder(path.dirname(file));
		const {default: writeFileAtomic} = await import('write-file-atomic');
		await writeFileAtomic(file, `${JSON.stringify(value, null, '\t')}\n`, {mode: 0o600});
		return undefined;
	} catch (error) {
		return `${file} cannot be written: ${fileProblem(error)}. Its content is lost when lakescope ends.`;
	}
}

/** Reads a JSON file of a known shape; undefined when it is not there, not readable or of another shape. */
export async function readShaped<Schema extends z.ZodType>(
	file: string,
	schema: Schema,
): Promise<z.output<Schema> | undefined> {
	const {value} = await readDocument(file);
	const read = schema.safeParse(value, interpreted);
	return read.success ? read.data : undefined;
}

/**
 * The same; a broken file is set aside under another name, so that writing it anew loses nothing.
 *
 * @param notify gets the sentence about a file that exists and cannot be used.
 */
export async function readOrSetAside<Schema extends z.ZodType>(
	file: string,
	schema: Schema,
	notify: (sentence: string) => void,
): Promise<z.output<Schema> | undefined> {
	try {
		const text = await readFile(file, 'utf8');
		const read = schema.safeParse(parsed(text), interpreted);
		if (read.success) return read.data;
		const aside = `${file}.broken`;
		await rename(file, aside);
		notify(`${file} does not hold what lakescope wrote; it is set aside as ${aside}.`);
	} catch (error) {
		if (systemCode(error) !== 'ENOENT') notify(`${file} cannot be read: ${fileProblem(error)}.`);
	}
	return undefined;
}

/** Some editors begin a file with a byte order mark. */
const withoutMark = (text: string) => text.replace(/^\uFEFF/, '');

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * Makes a folder and its parents, for this user alone. Node's recursive mkdir reports ENOENT on a read-only file
 * system, and never ends where a file system reports ENOENT for a new folder, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
	const parent = path.dirname(folder);
	const found = await stat(folder).catch((error: unknown) => {
		if (systemCode(error) !== 'ENOENT' || parent === folder) throw error;
	});
	if (found?.isDirectory()) return;
	if (!found) await makeFolder(parent);
	await mkdir(folder, {mode: 0o700}).catch(async (error: unknown) => {
		// Another process may have made it meanwhile.
		const made = await stat(folder).catch(() => undefined);
		if (!made?.isDirectory()) throw error;
	});
}
