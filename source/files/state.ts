import {createHash} from 'node:crypto';
import path from 'node:path';
import type {z} from 'zod';
import {readOrSetAside, writeDocument} from './document.ts';
import {places} from './places.ts';

const fileOf = (name: string) => path.join(places().state, `${name}.json`);

/** A name for what belongs to a lake: which file that is depends on the lake, and does not show it. */
export function lakeFileName(name: string, lake: string): string {
	return `${name}-${createHash('sha256').update(lake).digest('hex').slice(0, 16)}`;
}

/**
 * What an earlier run remembered under a name; undefined when nothing, or nothing of that shape, is there.
 *
 * @param notify is told the sentence about a file that is broken, and was set aside.
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
