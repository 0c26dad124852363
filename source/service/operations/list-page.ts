import type {DatabaseSync, SQLInputValue, SQLOutputValue} from 'node:sqlite';
import * as z from 'zod';
import type {PageInfo} from '../../contract/listing.ts';
import type {OwnListQuery, OwnSort} from '../../contract/own-lists.ts';
import {Refusal} from '../host/refusal.ts';

type Row = Record<string, SQLOutputValue>;

/** A table that can be paged: all its names are the program's own, none a caller's. */
type PagedTable = {
	/** The table; its columns must hold the id, `name`, `created_at` and `updated_at`. */
	readonly from: string;
	readonly id: string;
};

const orders: Record<OwnSort, {column: string; direction: 'ASC' | 'DESC'}> = {
	newest: {column: 'created_at', direction: 'DESC'},
	oldest: {column: 'created_at', direction: 'ASC'},
	updated: {column: 'updated_at', direction: 'DESC'},
	name: {column: 'name', direction: 'ASC'},
};

const position = z.tuple([z.string(), z.string(), z.string()]);

function readCursor(cursor: string, sort: OwnSort): {value: string; id: string} {
	const refuse = (msg: string) =>
		new Refusal('invalid', [{loc: ['query', 'cursor'], msg, type: 'value_error'}]);
	let decoded: unknown;
	try {
		decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
	} catch {
		decoded = undefined;
	}
	const read = position.safeParse(decoded);
	if (!read.success) throw refuse('The cursor is none that this list gave: start again without one.');
	const [sortedBy, value, id] = read.data;
	if (sortedBy === sort) return {value, id};
	throw refuse(`The cursor belongs to the list sorted by ${sortedBy}, not ${sort}: start again without one.`);
}

/**
 * A page of a table. The cursor names the last item, not a number of items, so that what comes or goes between two
 * pages neither repeats nor hides others. Sorted by `updated`, an item that changes meanwhile moves to the front: who has
 * read the front already finds it there the next time.
 *
 * @throws {Refusal} `invalid` for a cursor that this list did not give
 */
export function pageOf(
	database: DatabaseSync,
	{from, id}: PagedTable,
	{limit, sort, cursor}: OwnListQuery,
): {rows: Row[]; page_info: PageInfo} {
	const {column, direction} = orders[sort];
	const values: SQLInputValue[] = [];
	let after = '';
	if (cursor !== undefined) {
		const last = readCursor(cursor, sort);
		const beyond = direction === 'ASC' ? '>' : '<';
		after = `WHERE (${column}, ${id}) ${beyond} (?, ?)`;
		values.push(last.value, last.id);
	}
	const rows = database
		.prepare(
			`SELECT * FROM ${from} ${after} ORDER BY ${column} ${direction}, ${id} ${direction} LIMIT ${limit + 1}`,
		)
		.all(...values);
	const total = Number(database.prepare(`SELECT count(*) AS total FROM ${from}`).get()?.total);
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	return {
		rows: shown,
		page_info: {
			has_next: rows.length > shown.length,
			end_cursor: last
				? Buffer.from(JSON.stringify([sort, last[column], last[id]])).toString('base64url')
				: null,
			total_count: total,
		},
	};
}
