import * as z from 'zod';
import type {DatasetItem} from '../../contract/listing.ts';
import type {DatasetSort} from '../../contract/vocabulary.ts';
import {count} from './count.ts';
import {LakeError} from './engine.ts';

/** How many of an ingest's problems the metadata of a dataset quotes. */
const quotedProblems = 20;

/** A dataset as the statement gives it. */
export type DatasetRow = {
	dataset_id: string;
	dataset_name: string;
	dataset_version_id: string;
	generation: bigint;
	folder: string;
	subtype: string;
	format: string | null;
	robot_type: string | null;
	fps: number | null;
	interface_hash: string | null;
	cameras: string[];
	metadata: string | null;
	problems: string;
	episode_count: bigint;
	frame_count: bigint;
	duration_s: number;
	created_at: bigint;
	updated_at: bigint;
};

/** The place of a row in the list under a sort. */
export function positionOf(row: DatasetRow, sort: DatasetSort) {
	const {dataset_name: name} = row;
	if (sort === 'name') return {value: name, name};
	return {value: Number(sort === 'updated' ? row.updated_at : row.created_at), name};
}

/** A dataset of the lake in the shape of the listing. */
export function toItem(row: DatasetRow): DatasetItem {
	const problems = JSON.parse(row.problems) as unknown[];
	return {
		artifact_id: row.dataset_id,
		subtype: row.subtype,
		path: `local/${row.dataset_name}`,
		metadata: {
			dataset_name: row.dataset_name,
			dataset_version_id: row.dataset_version_id,
			generation: Number(row.generation),
			episodes: count(row.episode_count),
			frames: count(row.frame_count),
			duration_seconds: row.duration_s,
			fps: row.fps,
			robot_type: row.robot_type,
			interface_hash: row.interface_hash,
			format: row.format,
			cameras: row.cameras,
			folder: row.folder,
			problems: problems.slice(0, quotedProblems),
			problem_count: problems.length,
			...(row.metadata !== null && (JSON.parse(row.metadata) as object)),
		},
		jobs: [],
		created_at: new Date(Number(row.created_at)).toISOString(),
		updated_at: new Date(Number(row.updated_at)).toISOString(),
	};
}

/** The place after which a page of datasets begins: the last item's value under the sort, and its name. */
type ListPosition = {value: number | string; name: string};

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
