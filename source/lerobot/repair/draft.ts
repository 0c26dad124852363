import {copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import type {DamageId} from '../check/damage.ts';
import {findDamage} from '../check/find-damage.ts';
import {DatasetError} from '../dataset-error.ts';
import {filesBelow, findDataFiles} from '../find-data-files.ts';
import type {DatasetInfo} from '../info.ts';
import {
	episodeStatsPathV21,
	episodesFolder,
	episodesPathV21,
	fillTemplate,
	infoPath,
	tasksPath,
	tasksPathV21,
} from '../layout.ts';
import {parquetDamage, ReadDatabase} from '../read-database.ts';
import {openDataset} from '../read-dataset.ts';
import {quotedIdentifier, quotedString} from '../sql.ts';
import {pandasMetadata} from '../write-names.ts';
import {parquetOptions} from '../write-parquet-files.ts';
import {type FileChange, repairsFolder} from './journal.ts';

export const statsPath = 'meta/stats.json';

/** The only columns of frames that a repair can change. */
export const counters = ['timestamp', 'frame_index', 'episode_index', 'index', 'task_index'] as const;

export type DraftTask = {index: number; text: string | null};
export type DraftFile = {readonly file: string; readonly columns: ReadonlyMap<string, string>};
export type Stats = Record<string, Record<string, unknown>>;
type Json = Record<string, unknown>;

/**
 * A dataset as repairs change it: its metadata and the counters of its frames, in a database in memory. Nothing is
 * written before `write`, and of the frames nothing but their counters is ever held here.
 *
 * Tables: `frames` (file, row and the counters; file is the place in `dataFiles`) and `episodes` (file, place and
 * every column of `meta/episodes`; file is the place in `episodeFiles`), each with a copy as it was: `…_before`.
 */
export class Draft {
	readonly root: string;
	readonly read: DatasetInfo;
	/** The cameras that are kept as videos. */
	readonly cameras: readonly string[];
	readonly isOld: boolean;
	readonly files: readonly string[];
	/** As `meta/info.json` has it: repairs change it in place. */
	readonly info: Json & {features: Record<string, Json>};
	stats: Stats | undefined;
	tasks: DraftTask[] | undefined;
	readonly dataFiles: DraftFile[] = [];
	readonly episodeFiles: string[] = [];
	/** Parquet files without a footer. */
	readonly cut: string[] = [];
	/** Features that get another name, by the one that files have. */
	readonly renamed = new Map<string, string>();
	/** Files that are put aside. */
	readonly aside = new Set<string>();
	/** Files that get another file's content, by their path: the path of that. */
	readonly moved = new Map<string, string>();
	episodeColumns: string[] = [];
	readonly #database: ReadDatabase;
	readonly #spill: string;
	#was = {info: '', stats: '', tasks: ''};

	private constructor(
		opened: Awaited<ReturnType<typeof openDataset>>,
		info: Draft['info'],
		files: string[],
		database: ReadDatabase,
		spill: string,
	) {
		this.root = opened.root;
		this.read = opened.info;
		this.cameras = opened.videos;
		this.isOld = opened.info.format === 'v2.1';
		this.info = info;
		this.files = files;
		this.#database = database;
		this.#spill = spill;
	}

	/** @throws {DatasetError} where the folder is no dataset that is read */
	static async open(folder: string): Promise<Draft> {
		const opened = await openDataset(folder);
		const {root} = opened;
		const info = JSON.parse(await readFile(path.join(root, infoPath), 'utf8'));
		const files = await filesOf(root);
		const spill = await mkdtemp(path.join(tmpdir(), 'lakescope-repair-'));
		const folders = [root, repairsFolder(root), spill];
		const database = await ReadDatabase.open({folders, memoryLimit: '1GB', spillFolder: spill});
		const draft = new Draft(opened, info, files, database, spill);
		try {
			await draft.#load();
			return draft;
		} catch (error) {
			await draft.close();
			throw error;
		}
	}

	async close(): Promise<void> {
		this.#database.close();
		await rm(this.#spill, {recursive: true, force: true});
	}

	connect(): Promise<DuckDBConnection> {
		return this.#database.connect();
	}

	async run(sql: string): Promise<void> {
		await this.#database.query(sql);
	}

	/** The rows of an answer, with its big integers as numbers. */
	async rows<Row extends Json>(sql: string): Promise<Row[]> {
		const read = await this.#database.query(sql);
		return read
			.getRowObjectsJS()
			.map(
				row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])) as Row,
			);
	}

	/** The number that a query answers; 0 where it has none. */
	async number(sql: string): Promise<number> {
		const [row] = await this.rows(sql);
		return Number(Object.values(row ?? {})[0] ?? 0);
	}

	/** The ids of what check finds, LeRobot's own rules left out. */
	async damages(): Promise<DamageId[]> {
		const found = await findDamage(this.#database, this.root);
		return found.flatMap(({id, severity}) => (severity === 'lerobot-rule' ? [] : [id]));
	}

	real(file: string): string {
		return path.join(this.root, file);
	}

	async #isWhole(file: string): Promise<boolean> {
		const damage = await parquetDamage(this.real(file));
		if (damage === null) return true;
		if (damage.includes('cut off') || damage === 'is empty') this.cut.push(file);
		return false;
	}

	async #load(): Promise<void> {
		await this.#loadStats();
		await this.#loadTasks();
		await this.#loadEpisodes();
		await this.#loadFrames();
		this.#was = this.#texts();
		await this.run('CREATE TABLE frames_before AS FROM frames');
		await this.run('CREATE TABLE episodes_before AS FROM episodes');
	}

	#texts() {
		return {
			info: JSON.stringify(this.info),
			stats: JSON.stringify(this.stats ?? null),
			tasks: JSON.stringify(this.tasks ?? null),
		};
	}

	async #loadStats(): Promise<void> {
		if (!this.files.includes(statsPath)) return;
		try {
			this.stats = JSON.parse(await readFile(this.real(statsPath), 'utf8')) as Stats;
		} catch {
			this.stats = {};
		}
	}

	async #loadTasks(): Promise<void> {
		if (this.isOld) {
			if (!this.files.includes(tasksPathV21)) return;
			this.tasks = (await jsonLines(this.real(tasksPathV21))).map(({task_index, task}) => ({
				index: Number(task_index),
				text: typeof task === 'string' ? task : null,
			}));
			return;
		}
		if (!this.files.includes(tasksPath) || !(await this.#isWhole(tasksPath))) return;
		const rows = await this.rows(`FROM read_parquet(${quotedString(this.real(tasksPath))})`);
		this.tasks = rows.map(row => {
			const text = row.task ?? row.__index_level_0__;
			return {index: Number(row.task_index), text: typeof text === 'string' ? text : null};
		});
	}

	async #loadEpisodes(): Promise<void> {
		if (this.isOld) {
			this.episodeFiles.push(episodesPathV21);
			const lines = this.files.includes(episodesPathV21) ? await jsonLines(this.real(episodesPathV21)) : [];
			await this.run(
				'CREATE TABLE episodes (file INTEGER, place BIGINT, episode_index BIGINT, tasks VARCHAR[], "length" BIGINT)',
			);
			for (const [place, line] of lines.entries()) {
				const tasks = Array.isArray(line.tasks) ? line.tasks.filter(each => typeof each === 'string') : [];
				await this.run(
					`INSERT INTO episodes VALUES (0, ${place}, ${Number(line.episode_index)}, [${tasks.map(quotedString).join(', ')}], ${Number(line.length)})`,
				);
			}
			this.episodeColumns = ['episode_index', 'tasks', 'length'];
			return;
		}
		for (const file of this.files) {
			if (!file.startsWith(`${episodesFolder}/`) || !file.endsWith('.parquet')) continue;
			if (await this.#isWhole(file)) this.episodeFiles.push(file);
		}
		if (this.episodeFiles.length === 0) {
			await this.run(
				'CREATE TABLE episodes (file INTEGER, place BIGINT, episode_index BIGINT, tasks VARCHAR[], "length" BIGINT)',
			);
			return;
		}
		const list = this.episodeFiles.map(file => quotedString(this.real(file)));
		await this.run(
			`CREATE TABLE episodes AS SELECT list_position([${list.join(', ')}], filename) - 1 AS file, file_row_number AS place, * EXCLUDE (filename, file_row_number)
			FROM read_parquet([${list.join(', ')}], union_by_name = true, filename = true, file_row_number = true)`,
		);
		const described = await this.rows<{column_name: string}>('DESCRIBE episodes');
		this.episodeColumns = described.map(({column_name}) => column_name).slice(2);
	}

	async #loadFrames(): Promise<void> {
		const found = await findDataFiles(this.root, this.read.data_path, [], () => undefined);
		let isFirst = true;
		for (const file of found) {
			if (!file.endsWith('.parquet') || !(await this.#isWhole(file))) continue;
			const types = await this.#database.columnsOf(this.real(file));
			const columns = new Map([...types].map(([name, type]) => [name, String(type)]));
			if (!columns.has('episode_index')) continue;
			const column = (name: string) =>
				columns.has(name)
					? quotedIdentifier(name)
					: `NULL::${name === 'timestamp' ? 'FLOAT' : 'BIGINT'} AS ${quotedIdentifier(name)}`;
			const query = `SELECT ${this.dataFiles.length} AS file, file_row_number AS "row", ${counters.map(column).join(', ')} FROM read_parquet(${quotedString(this.real(file))}, file_row_number = true)`;
			await this.run(isFirst ? `CREATE TABLE frames AS ${query}` : `INSERT INTO frames ${query}`);
			isFirst = false;
			this.dataFiles.push({file, columns});
		}
		if (isFirst) {
			await this.run(
				'CREATE TABLE frames (file INTEGER, "row" BIGINT, timestamp FLOAT, frame_index BIGINT, episode_index BIGINT, "index" BIGINT, task_index BIGINT)',
			);
		}
	}

	hasColumn(name: string): boolean {
		return this.episodeColumns.includes(name);
	}

	/** The data file of a chunk and file number. */
	dataPath(chunk: number, file: number): string {
		return path.posix.normalize(fillTemplate(this.read.data_path, {chunk_index: chunk, file_index: file}));
	}

	videoPath(key: string, chunk: number, file: number): string {
		return path.posix.normalize(
			fillTemplate(this.read.videoTemplate, {video_key: key, chunk_index: chunk, file_index: file}),
		);
	}

	/** The places in `dataFiles` whose frames have other counters than before. */
	async changedData(): Promise<number[]> {
		const rows = await this.rows<{file: number}>(
			`SELECT DISTINCT a.file FROM frames a JOIN frames_before b USING (file, "row")
			WHERE ${counters.map(name => `a."${name}" IS DISTINCT FROM b."${name}"`).join(' OR ')} ORDER BY 1`,
		);
		const changed = new Set(rows.map(({file}) => file));
		for (const [place, {columns}] of this.dataFiles.entries()) {
			if ([...this.renamed.keys()].some(name => columns.has(name))) changed.add(place);
		}
		return [...changed]
			.sort((a, b) => a - b)
			.filter(file => !this.aside.has(this.dataFiles[file]?.file ?? ''));
	}

	async #changedEpisodes(): Promise<number[]> {
		const prints = (table: string) =>
			`SELECT file, string_agg(hash(t)::VARCHAR, ',' ORDER BY place) AS print FROM ${table} t GROUP BY file`;
		const rows = await this.rows<{file: number}>(
			`SELECT coalesce(a.file, b.file) AS file FROM (${prints('episodes')}) a FULL JOIN (${prints('episodes_before')}) b USING (file)
			WHERE a.print IS DISTINCT FROM b.print ORDER BY 1`,
		);
		// Renamed columns hold the same.
		const isRenamed = this.episodeColumns.some(column => this.#renamedColumn(column) !== column);
		return isRenamed ? [...this.episodeFiles.keys()] : rows.map(({file}) => file);
	}

	/** A column of the episodes as it is called after features are renamed. */
	#renamedColumn(column: string): string {
		const [, room, feature = '', rest] = /^(stats|videos)\/(.+)\/([^/]+)$/.exec(column) ?? [];
		const now = this.renamed.get(feature);
		return now === undefined ? column : `${room}/${now}/${rest}`;
	}

	/** The files that writing the draft would change, relative to the root. */
	async changedFiles(): Promise<string[]> {
		const now = this.#texts();
		return [
			...(await this.changedData()).map(file => this.dataFiles[file]?.file ?? ''),
			...(await this.#changedEpisodes()).map(file => this.episodeFiles[file] ?? ''),
			...(now.tasks === this.#was.tasks ? [] : [this.isOld ? tasksPathV21 : tasksPath]),
			...(now.stats === this.#was.stats ? [] : [this.isOld ? episodeStatsPathV21 : statsPath]),
			...this.moved.keys(),
			...this.aside,
			...(now.info === this.#was.info ? [] : [infoPath]),
		];
	}

	/** Bytes that the new files need, about, while those that they replace are kept. */
	async bytesNeeded(): Promise<number> {
		let bytes = 0;
		for (const file of await this.changedFiles()) {
			if (this.aside.has(file) || this.moved.has(file)) continue;
			bytes += (await stat(this.real(file)).catch(() => undefined))?.size ?? 4096;
		}
		return bytes;
	}

	/** Writes every changed file into a folder, and looks whether its frames are what they were. */
	async write(folder: string): Promise<FileChange[]> {
		const changes: FileChange[] = [];
		const staged = async (file: string) => {
			const target = path.join(folder, file);
			await mkdir(path.dirname(target), {recursive: true});
			changes.push({file, staged: target});
			return target;
		};
		for (const file of await this.changedData()) {
			const {file: name = ''} = this.dataFiles[file] ?? {};
			await this.#writeFrames(file, await staged(name));
		}
		for (const file of await this.#changedEpisodes()) await this.#writeEpisodes(file, staged, changes);
		const now = this.#texts();
		if (now.tasks !== this.#was.tasks)
			await this.#writeTasks(await staged(this.isOld ? tasksPathV21 : tasksPath));
		if (now.stats !== this.#was.stats) await writeJson(await staged(statsPath), this.stats);
		for (const [to, from] of this.moved) {
			// The journal takes it by a second name, or copies it.
			changes.push({file: to, staged: await linkOrCopy(this.real(from), path.join(folder, '.moved', to))});
		}
		for (const file of this.aside) if (!this.moved.has(file)) changes.push({file});
		if (now.info !== this.#was.info) await writeJson(await staged(infoPath), this.info);
		return changes;
	}

	async #writeFrames(place: number, target: string): Promise<void> {
		const {file = '', columns = new Map<string, string>()} = this.dataFiles[place] ?? {};
		const from = quotedString(this.real(file));
		const held = counters.filter(name => columns.has(name));
		const selected = [...columns].map(([name, type]) =>
			(held as string[]).includes(name)
				? `f."${name}"::${type} AS "${name}"`
				: `d.${quotedIdentifier(name)} AS ${quotedIdentifier(this.renamed.get(name) ?? name)}`,
		);
		await this.run(
			`COPY (SELECT ${selected.join(', ')} FROM read_parquet(${from}) d
			POSITIONAL JOIN (SELECT ${held.map(name => `"${name}"`).join(', ')} FROM frames WHERE file = ${place} ORDER BY "row") f)
			TO ${quotedString(target)} (${parquetOptions}${await this.#metadata(from)})`,
		);
		const others = [...columns.keys()].filter(name => !(held as string[]).includes(name));
		const print = (of: string, names: readonly string[]) =>
			`(SELECT ${names.length > 0 ? `hash(${names.map(quotedIdentifier).join(', ')})` : '0'} AS print FROM read_parquet(${of}))`;
		const to = quotedString(target);
		const differing = await this.number(
			`SELECT count(*) FROM ${print(from, others)} a POSITIONAL JOIN ${print(
				to,
				others.map(name => this.renamed.get(name) ?? name),
			)} b WHERE a.print IS DISTINCT FROM b.print`,
		);
		if (differing > 0) {
			throw new DatasetError(
				`${file} could not be written anew with all values as they were; nothing was changed.`,
			);
		}
	}

	/** The metadata of the file's writer, which readers go by; not its Arrow schema, which DuckDB writes otherwise. */
	async #metadata(file: string): Promise<string> {
		const kept = await this.rows<{key: string; value: string}>(
			`SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${file}) WHERE decode(key) IN ('pandas', 'huggingface')`,
		).catch(() => []);
		if (kept.length === 0) return '';
		return `, KV_METADATA {${kept.map(({key, value}) => `${key}: ${quotedString(this.#renamedIn(value))}`).join(', ')}}`;
	}

	/** JSON of a file's writer in which features have their new names. */
	#renamedIn(json: string): string {
		if (this.renamed.size === 0) return json;
		const named = (name: unknown) =>
			typeof name === 'string' ? (this.renamed.get(name) ?? this.#renamedColumn(name)) : name;
		try {
			const read = JSON.parse(json) as {info?: {features?: Json}; columns?: Json[]};
			const features = read.info?.features;
			if (read.info && features) {
				const now = Object.entries(features).map(([name, feature]) => [named(name), feature]);
				read.info.features = Object.fromEntries(now);
			}
			for (const column of read.columns ?? []) {
				column.name = named(column.name);
				column.field_name = named(column.field_name);
			}
			return JSON.stringify(read);
		} catch {
			return json;
		}
	}

	async #writeEpisodes(
		place: number,
		staged: (file: string) => Promise<string>,
		changes: FileChange[],
	): Promise<void> {
		const file = this.episodeFiles[place] ?? '';
		const left = await this.number(`SELECT count(*) FROM episodes WHERE file = ${place}`);
		if (this.isOld) {
			const lines = await jsonLines(this.real(file));
			const rows = await this.rows(`SELECT * FROM episodes ORDER BY place`);
			const text = rows.map(({episode_index, tasks, length}) => {
				const was = lines.find(line => line.episode_index === episode_index) ?? {};
				return `${JSON.stringify({...was, episode_index, tasks, length})}\n`;
			});
			await writeFile(await staged(file), text.join(''));
			return;
		}
		if (left === 0) {
			changes.push({file});
			return;
		}
		await this.run(
			`COPY (SELECT ${this.episodeColumns.map(name => `${quotedIdentifier(name)} AS ${quotedIdentifier(this.#renamedColumn(name))}`).join(', ')} FROM episodes WHERE file = ${place} ORDER BY place)
			TO ${quotedString(await staged(file))} (${parquetOptions}${await this.#metadata(quotedString(this.real(file)))})`,
		);
	}

	async #writeTasks(target: string): Promise<void> {
		const tasks = this.tasks ?? [];
		if (this.isOld) {
			const lines = tasks.map(({index, text}) => `${JSON.stringify({task_index: index, task: text})}\n`);
			await writeFile(target, lines.join(''));
			return;
		}
		const rows = tasks.map(
			({index, text}) => `(${index}::BIGINT, ${text === null ? 'NULL' : quotedString(text)})`,
		);

		await this.run(
			`COPY (SELECT * FROM (VALUES ${rows.join(', ')}) t(task_index, task)) TO ${quotedString(target)} (${parquetOptions}, KV_METADATA {pandas: ${quotedString(pandasMetadata('task'))}})`,
		);
	}
}

/** Every file below a root, relative to it. */
async function filesOf(root: string): Promise<string[]> {
	const files: string[] = [];
	for (const entry of await readdir(root, {withFileTypes: true})) {
		if (entry.isFile()) files.push(entry.name);
		else files.push(...(await filesBelow(root, entry.name)).files);
	}
	return files.sort();
}

async function linkOrCopy(from: string, to: string): Promise<string> {
	await mkdir(path.dirname(to), {recursive: true});
	await link(from, to).catch(() => copyFile(from, to));
	return to;
}

async function writeJson(file: string, json: unknown): Promise<void> {
	await writeFile(file, `${JSON.stringify(json, undefined, 4)}\n`);
}

async function jsonLines(file: string): Promise<Json[]> {
	const lines = (await readFile(file, 'utf8')).split('\n').filter(line => line.trim() !== '');
	return lines.map(line => JSON.parse(line) as Json);
}

function plain(value: unknown): unknown {
	if (typeof value === 'bigint') return Number(value);
	if (Array.isArray(value)) return value.map(plain);
	return value;
}
