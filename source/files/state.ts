import {createHash} from 'node:crypto';
import path from 'node:path';
import type {z} from 'zod';
import {readOrSetAside, writeDocument} from './document.ts';
import {places} from './places.ts';

const fileOf = (name: string) => path.join(places().state, `${name}.json`);

/** A file name for what belongs to a lake: derived from the lake without revealing it. */
export function lakeFileName(name: string, lake: string): string {
	return `${name}-${createHash('sha256').update(lake).digest('hex').slice(0, 16)}`;
}

/**
 * Reads what an earlier run saved under a name; undefined where there is nothing, or nothing of that shape.
 *
 * @param notify gets the sentence about a broken file that was set aside.
 */
export function readState<Schema extends z.ZodType>(
	name: string,
	schema: Schema,
	notify: (sentence: string) => void = () => undefined,
): Promise<z.output<Schema> | undefined> {
	return readOrSetAside(fileOf(name), schema, notify);
}

/**
 * Remembers something for later runs.
 *
 * @returns the sentence that says why that failed.
 */
export function writeState(name: string, value: unknown): Promise<string | undefined> {
	return writeDocument(fileOf(name), value);
}
