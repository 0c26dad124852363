import {realpath} from 'node:fs/promises';
import path from 'node:path';
import {DatasetError, type Problem, type ReportProblem, reasonOf} from './dataset-error.ts';
import {locate} from './layout.ts';
import {damageReason, parquetDamage, type ReadDatabase} from './read-database.ts';
import {quotedIdentifier, quotedString} from './sql.ts';

const heads = ['sparse', 'dense'] as const;
type SarmHead = (typeof heads)[number];

/** Columns that place a row: the frame's global index, its episode, and its place in that. */
const places = ['index', 'episode_index', 'frame_index'] as const;

/** The values of one head, as far as they are numbers. */
type SarmValues = {
	readonly count: number;
	/** Rows that have no value, which is allowed. */
	readonly nan: number;
	readonly min: number | null;
	readonly max: number | null;
};

/** The content of `sarm_progress.parquet`. */
export type SarmProgress = {
	readonly rows: number;
	readonly episodes: number;
	readonly heads: readonly SarmHead[];
	readonly values: Readonly<Partial<Record<SarmHead, SarmValues>>>;
	/** The model that it came from; null where the file does not say. */
	readonly rewardModelPath: string | null;
	/** Its columns and their types, as the file has them. */
	readonly columns: Readonly<Record<string, string>>;
};

/** Episodes with values out of bounds that are named one by one; the others are counted. */
const maxNamedEpisodes = 50;

/**
 * The folder that a progress file lies in, as `realpath` gives it.
 *
 * @throws {DatasetError} where it cannot be entered.
 */
export async function sarmProgressRoot(progressFile: string): Promise<string> {
	return realpath(path.dirname(progressFile)).catch(error => {
		throw new DatasetError(`${progressFile} cannot be read (${reasonOf(error)}).`);
	});
}

/**
 * Reads `sarm_progress.parquet` at the root of a folder. Values out of 0–1, rows without a place and rows of one frame
 * that occur twice are reported.
 *
 * @param root as `realpath` gives it.
 * @throws {DatasetError} where there is no such file, or it holds no progress.
 */
export async function readSarmProgress(
	database: ReadDatabase,
	root: string,
	report: ReportProblem,
): Promise<SarmProgress> {
	const whole = await wholeFile(root);
	try {
		const problems: Problem[] = [];
		const progress = await database.readTwice(from => {
			problems.length = 0;
			return progressIn(from, whole, root, problem => problems.push(problem));
		});
		for (const problem of problems) report(problem);
		return progress;
	} catch (error) {
		if (error instanceof DatasetError) throw error;
		throw refusal(root, damageReason(error, path.join(root, sarmProgressName)));
	}
}

async function progressIn(
	database: ReadDatabase,
	whole: string,
	root: string,
	report: ReportProblem,
): Promise<SarmProgress> {
	const source = `read_parquet(${quotedString(whole)})`;
	const types = await database.columnsOf(whole);
	const columns = Object.fromEntries([...types].map(([name, type]) => [name, String(type)]));
	const present = heads.filter(head => types.has(`progress_${head}`));
	const missing = places.filter(name => !types.has(name));
	if (missing.length > 0) throw refusal(root, `it has no column "${missing[0]}"`);
	if (present.length === 0) throw refusal(root, 'it has neither "progress_sparse" nor "progress_dense"');
	const {rows, episodes} = await reportPlaces(database, source, report);
	const values: Partial<Record<SarmHead, SarmValues>> = {};
	for (const head of present) {
		values[head] = await valuesOf(database, source, head);
		await reportOutside(database, source, head, report);
	}
	const rewardModelPath = await rewardModel(database, whole);
	return {rows, episodes, heads: present, values, rewardModelPath, columns};
}

function refusal(root: string, reason: string): DatasetError {
	return new DatasetError(`${path.join(root, sarmProgressName)} cannot be read: ${reason}.`);
}

async function wholeFile(root: string): Promise<string> {
	const located = await locate(root, sarmProgressName);
	if (!located.found) {
		throw refusal(
			root,
			located.reason === 'outside' ? 'it leads out of its folder' : `it is ${located.reason}`,
		);
	}
	const damage = await parquetDamage(located.path).catch(reasonOf);
	if (damage !== null) throw refusal(root, `it ${damage}`);
	return located.path;
}

type Row = Record<string, unknown>;

async function only(database: ReadDatabase, sql: string): Promise<Row> {
	return (await database.query(sql)).getRowObjectsJS()[0] ?? {};
}

async function reportPlaces(database: ReadDatabase, source: string, report: ReportProblem) {
	const counted = await only(
		database,
		`SELECT count(*) AS row_count, count(DISTINCT episode_index) AS episodes,
			count(*) FILTER (episode_index IS NULL OR frame_index IS NULL OR "index" IS NULL) AS placeless,
			count(DISTINCT (episode_index, frame_index)) AS frames
		FROM ${source}`,
	);
	const rows = Number(counted.row_count);
	const placeless = Number(counted.placeless);
	if (placeless > 0) {
		report({
			file: sarmProgressName,
			message: `${sarmProgressName} has ${placeless} rows without an index, episode_index or frame_index.`,
		});
	}
	const repeated = rows - Number(counted.frames);
	if (placeless === 0 && repeated > 0) {
		report({
			file: sarmProgressName,
			message: `${sarmProgressName} has ${repeated} rows of frames that it holds already.`,
		});
	}
	return {rows, episodes: Number(counted.episodes)};
}

/** A head's column as a number; null where it is none. NaN, which is allowed, stays one. */
const headValue = (head: SarmHead) => `TRY_CAST(${quotedIdentifier(`progress_${head}`)} AS DOUBLE)`;

async function valuesOf(database: ReadDatabase, source: string, head: SarmHead): Promise<SarmValues> {
	const found = await only(
		database,
		`SELECT count(v) FILTER (isfinite(v)) AS "count", count(*) FILTER (v IS NULL OR isnan(v)) AS nan,
			min(v) FILTER (isfinite(v)) AS "min", max(v) FILTER (isfinite(v)) AS "max"
		FROM (SELECT ${headValue(head)} AS v FROM ${source})`,
	);
	const number = (value: unknown) => (typeof value === 'number' ? value : null);
	return {
		count: Number(found.count),
		nan: Number(found.nan),
		min: number(found.min),
		max: number(found.max),
	};
}

async function reportOutside(
	database: ReadDatabase,
	source: string,
	head: SarmHead,
	report: ReportProblem,
): Promise<void> {
	const found = await database.query(
		`SELECT TRY_CAST(episode_index AS DOUBLE) AS episode, count(*) AS outside,
			min(v) AS lowest, max(v) AS highest, count(*) OVER () AS episodes
		FROM (SELECT episode_index, ${headValue(head)} AS v FROM ${source})
		WHERE NOT isnan(v) AND (v < 0 OR v > 1)
		GROUP BY episode_index ORDER BY episode_index LIMIT ${maxNamedEpisodes}`,
	);
	const rows = found.getRowObjectsJS();
	for (const {episode, outside, lowest, highest} of rows) {
		const values = `${outside} values of progress_${head} out of 0–1, from ${lowest} to ${highest}`;
		const index = typeof episode === 'number' && Number.isInteger(episode) ? episode : undefined;
		report({
			file: sarmProgressName,
			...(index !== undefined && index >= 0 && {episodeIndex: index}),
			message: index === undefined ? `${sarmProgressName} has ${values}.` : `Episode ${index}: ${values}.`,
		});
	}
	const unnamed = Number(rows[0]?.episodes ?? 0) - rows.length;
	if (unnamed > 0) {
		report({
			file: sarmProgressName,
			message: `${sarmProgressName} has ${unnamed} more episodes with progress_${head} out of 0–1.`,
		});
	}
}

async function rewardModel(database: ReadDatabase, whole: string): Promise<string | null> {
	const metadata = await database.query(
		`SELECT value FROM parquet_kv_metadata(${quotedString(whole)})
		WHERE key = 'reward_model_path'::BLOB`,
	);
	const value = metadata.getRowObjectsJS()[0]?.value;
	return value instanceof Uint8Array ? Buffer.from(value).toString('utf8').slice(0, 4096) : null;
}

/** A reward model's progress for a dataset's frames, at the dataset's root; a folder may hold nothing else. */
export const sarmProgressName = 'sarm_progress.parquet';

/** The lake's name for the progress file in the dataset of this name. */
export function sarmProgressDataset(datasetName: string): string {
	const suffix = '.sarm_progress';
	return datasetName.slice(0, 128 - suffix.length) + suffix;
}

/** True if a path names such a file. */
export function isSarmProgress(file: string): boolean {
	return path.basename(file) === sarmProgressName;
}
