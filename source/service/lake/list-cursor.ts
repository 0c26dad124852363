import * as z from 'zod';
import type {DatasetSort} from '../../contract/vocabulary.ts';
import {LakeError} from './lake-error.ts';

/** The place after which a page of datasets begins: the last item's value under the sort, and its name. */
export type ListPosition = {value: number | string; name: string};

const shape = z.tuple([z.string(), z.union([z.number(), z.string()]), z.string()]);

/** A position as the opaque text that a client hands back. */
export function writeCursor(sort: DatasetSort, {value, name}: ListPosition): string {
	return Buffer.from(JSON.stringify([sort, value, name])).toString('base64url');
}

/**
 * Reads a cursor back.
 *
 * @throws LakeError `cursor` when it is none, or was given for another sort.
 */
export function readCursor(sort: DatasetSort, cursor: string): ListPosition {
	let decoded: unknown;
	try {
		decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
	} catch {
		decoded = undefined;
	}
	const parsed = shape.safeParse(decoded);
	const [sortedBy, value, name] = parsed.data ?? [];
	if (sortedBy !== undefined && sortedBy !== sort) {
		throw new LakeError(
			'cursor',
			`The cursor belongs to the list sorted by ${sortedBy}, not ${sort}: start again without one.`,
		);
	}
	if (value === undefined || name === undefined || typeof value !== (sort === 'name' ? 'string' : 'number')) {
		throw new LakeError('cursor', 'The cursor is none that this list gave: start again without one.');
	}
	return {value, name};
}
