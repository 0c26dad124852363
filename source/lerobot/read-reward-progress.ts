import {realpath} from 'node:fs/promises';
import path from 'node:path';
import {DatasetError, type Problem, type ReportProblem, reasonOf} from './dataset-error.ts';
import {locate} from './layout.ts';
import {damageReason, parquetDamage, type ReadDatabase} from './read-database.ts';
import {quotedIdentifier, quotedString} from './sql.ts';

/** LeRobot's reward models, each of which leaves a file of its own at the root of the dataset whose frames it judged. */
export const rewardModels = ['sarm', 'robometer', 'topreward'] as const;
export type RewardModel = (typeof rewardModels)[number];

export const progressName = (model: RewardModel): string => `${model}_progress.parquet`;

/** The model whose progress a path names; undefined for any other path. A folder may hold nothing else. */
export function progressModelOf(file: string): RewardModel | undefined {
	const name = path.basename(file);
	return rewardModels.find(model => progressName(model) === name);
}

/** The lake's name for a model's progress in the dataset of this name. */
export function progressDataset(datasetName: string, model: RewardModel): string {
	const suffix = `.${model}_progress`;
	return datasetName.slice(0, 128 - suffix.length) + suffix;
}

/** The names of all of them. */
export const progressDatasets = (datasetName: string): readonly string[] =>
	rewardModels.map(model => progressDataset(datasetName, model));

/** A folder as `realpath` gives it, and the file's name in it. */
type ProgressPlace = {readonly root: string; readonly name: string};

const heads = ['sparse', 'dense'] as const;
type Head = (typeof heads)[number];

/** Columns that place a row: the frame's global index, its episode, and its place in that. */
const places = ['index', 'episode_index', 'frame_index'] as const;

/** The values of one head, as far as they are numbers. */
type HeadValues = {
	readonly count: number;
	/** Rows that have no value, which is allowed. */
	readonly nan: number;
	readonly min: number | null;
	readonly max: number | null;
};

/** The content of such a file. */
export type RewardProgress = {
	readonly rows: number;
	readonly episodes: number;
	readonly heads: readonly Head[];
	readonly values: Readonly<Partial<Record<Head, HeadValues>>>;
	/** The model that it came from; null where the file does not say. */
	readonly rewardModelPath: string | null;
	/** The vision-language model that topreward asked; null where the file does not say. */
	readonly vlmName: string | null;
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
export async function progressRoot(progressFile: string): Promise<string> {
	return realpath(path.dirname(progressFile)).catch(error => {
		throw new DatasetError(`${progressFile} cannot be read (${reasonOf(error)}).`);
	});
}

/**
 * Reads the progress that a reward model left at the root of a folder. Values out of 0–1, rows without a place and rows of one frame
 * that occur twice are reported.
 *
 * @throws {DatasetError} where there is no such file, or it holds no progress.
 */
export async function readRewardProgress(
	database: ReadDatabase,
	place: ProgressPlace,
	report: ReportProblem,
): Promise<RewardProgress> {
	const whole = await wholeFile(place);
	try {
		const problems: Problem[] = [];
		const progress = await database.readTwice(from => {
			problems.length = 0;
			return progressIn(from, whole, place, problem => problems.push(problem));
		});
		for (const problem of problems) report(problem);
		return progress;
	} catch (error) {
		if (error instanceof DatasetError) throw error;
		throw refusal(place, damageReason(error, path.join(place.root, place.name)));
	}
}

async function progressIn(
	database: ReadDatabase,
	whole: string,
	place: ProgressPlace,
	report: ReportProblem,
): Promise<RewardProgress> {
	const source = `read_parquet(${quotedString(whole)})`;
	const types = await database.columnsOf(whole);
	const columns = Object.fromEntries([...types].map(([name, type]) => [name, String(type)]));
	const present = heads.filter(head => types.has(`progress_${head}`));
	const missing = places.filter(name => !types.has(name));
	if (missing.length > 0) throw refusal(place, `it has no column "${missing[0]}"`);
	if (present.length === 0) throw refusal(place, 'it has neither "progress_sparse" nor "progress_dense"');
	const {rows, episodes} = await reportPlaces(database, source, place, report);
	const values: Partial<Record<Head, HeadValues>> = {};
	for (const head of present) {
		values[head] = await valuesOf(database, source, head);
		await reportOutside(database, source, {head, name: place.name}, report);
	}
	const said = await fileMetadata(database, whole);
	return {
		rows,
		episodes,
		heads: present,
		values,
		rewardModelPath: said.get('reward_model_path') ?? null,
		vlmName: said.get('vlm_name') ?? null,
		columns,
	};
}

function refusal({root, name}: ProgressPlace, reason: string): DatasetError {
	return new DatasetError(`${path.join(root, name)} cannot be read: ${reason}.`);
}

async function wholeFile(place: ProgressPlace): Promise<string> {
	const located = await locate(place.root, place.name);
	if (!located.found) {
		throw refusal(
			place,
			located.reason === 'outside' ? 'it leads out of its folder' : `it is ${located.reason}`,
		);
	}
	const damage = await parquetDamage(located.path).catch(reasonOf);
	if (damage !== null) throw refusal(place, `it ${damage}`);
	return located.path;
}

type Row = Record<string, unknown>;

async function only(database: ReadDatabase, sql: string): Promise<Row> {
	return (await database.query(sql)).getRowObjectsJS()[0] ?? {};
}

async function reportPlaces(
	database: ReadDatabase,
	source: string,
	{name}: ProgressPlace,
	report: ReportProblem,
) {
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
			file: name,
			message: `${name} has ${placeless} rows without an index, episode_index or frame_index.`,
		});
	}
	const repeated = rows - Number(counted.frames);
	if (placeless === 0 && repeated > 0) {
		report({
			file: name,
			message: `${name} has ${repeated} rows of frames that it holds already.`,
		});
	}
	return {rows, episodes: Number(counted.episodes)};
}

/** A head's column as a number; null where it is none. NaN, which is allowed, stays one. */
const headValue = (head: Head) => `TRY_CAST(${quotedIdentifier(`progress_${head}`)} AS DOUBLE)`;

async function valuesOf(database: ReadDatabase, source: string, head: Head): Promise<HeadValues> {
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
	{head, name}: {head: Head; name: string},
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
			file: name,
			...(index !== undefined && index >= 0 && {episodeIndex: index}),
			message: index === undefined ? `${name} has ${values}.` : `Episode ${index}: ${values}.`,
		});
	}
	const unnamed = Number(rows[0]?.episodes ?? 0) - rows.length;
	if (unnamed > 0) {
		report({
			file: name,
			message: `${name} has ${unnamed} more episodes with progress_${head} out of 0–1.`,
		});
	}
}

/** Metadata of the file about the models that it came from. */
async function fileMetadata(database: ReadDatabase, whole: string): Promise<ReadonlyMap<string, string>> {
	const metadata = await database.query(
		`SELECT key, value FROM parquet_kv_metadata(${quotedString(whole)})
		WHERE key IN ('reward_model_path'::BLOB, 'vlm_name'::BLOB)`,
	);
	const text = (value: unknown) =>
		value instanceof Uint8Array ? Buffer.from(value).toString('utf8').slice(0, 4096) : '';
	return new Map(metadata.getRowsJS().map(([key, value]) => [text(key), text(value)]));
}
