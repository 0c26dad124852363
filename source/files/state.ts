import path from 'node:path';
import type {z} from 'zod';
import {readShaped, writeDocument} from './document.ts';
import {places} from './places.ts';

const fileOf = (name: string) => path.join(places().state, `${name}.json`);

/** What an earlier run remembered under a name; undefined when nothing, or nothing of that shape, is there. */
export function readState<Schema extends z.ZodType>(
	name: string,
	schema: Schema,
): Promise<z.output<Schema> | undefined> {
	return readShaped(fileOf(name), schema);
}

/**
 * Remembers something for later runs.
 *
 * @returns the sentence that says why that failed.
 */
export function writeState(name: string, value: unknown): Promise<string | undefined> {
	return writeDocument(fileOf(name), value);
}
