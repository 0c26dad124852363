import {readFile} from 'node:fs/promises';
import path from 'node:path';
import type {DuckDBConnection} from '@duckdb/node-api';
import * as z from 'zod';
import {ingestProblem} from '../../../contract/local.ts';
import {siblingGroup} from '../../../contract/local-series.ts';
import {heldMetrics} from '../../../contract/metrics.ts';
import {aggregates} from '../../../contract/vocabulary.ts';
import {bandSlots, type Channel, channelIdentity, type PlacedChannel} from '../channel-slots.ts';
import {LakeError} from '../engine.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';

/** The content of `dataset.json` in a staging folder: the dataset as a whole. */
const stagedDataset = z.lazy(() =>
	z.object({
		format: z.string().nullish(),
		robot_type: z.string().nullish(),
		fps: z.number().nullish(),
		interface_hash: z.string().max(128).nullish(),
		subtype: z.string(),
		cameras: z.array(z.string()).default([]),
		features: z.record(z.string(), z.unknown()).default({}),
		/** Its metadata in the listing beyond the fields that every dataset has. */
		metadata: z.record(z.string(), z.unknown()).nullish(),
		problems: z.array(ingestProblem).default([]),
		/** The usual figures of each task's episodes. */
		siblings: z.array(siblingGroup).default([]),
	}),
);
export type StagedDataset = z.output<typeof stagedDataset>;

/**
 * Reads the `dataset.json` that an ingest left in its staging folder.
 *
 * @throws LakeError `staging` when it is missing or not of that shape.
 */
export async function readStagedDataset(staging: string): Promise<StagedDataset> {
	const file = path.join(staging, 'dataset.json');
	try {
		return stagedDataset.parse(JSON.parse(await readFile(file, 'utf8')));
	} catch (error) {
		const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
		throw new LakeError(
			'staging',
			`The ingest handed over no readable ${file} (${reason}): ingest the dataset again.`,
			{cause: error},
		);
	}
}

/** JSON has no word for NaN and the infinities: a value that is not finite counts as not measured. */
const finite = (column: string) => `CASE WHEN isfinite(${column}::DOUBLE) THEN ${column}::DOUBLE END`;

/** Section 2.1's longest task and most tags. */
const longestTask = 262_144;
const mostTags = 512;

const episodes = (file: string) => `
	CREATE OR REPLACE TEMP TABLE staged_episode AS
	SELECT
		row_number() OVER (ORDER BY episode_index, episode_id) - 1 AS place,
		episode_index::UINTEGER AS episode_index,
		episode_id::UUID AS episode_id,
		from_hex(revision) AS revision,
		left(task, ${longestTask}) AS task,
		nullif(tier, '') AS tier,
		nullif(marker_signature, '') AS marker_signature,
		coalesce(tags[:${mostTags}], []) AS tags,
		review_state::review_state AS review_state,
		parent_dataset,
		parent_episode_index::INTEGER AS parent_episode_index,
		member_ordinal::BIGINT AS member_ordinal,
		frame_count::UBIGINT AS frame_count,
		coalesce(${finite('duration_s')}, 0) AS duration_s,
		${finite('quality_score')} AS quality_score,
		${heldMetrics.map(column => `${finite(column)} AS ${column}`).join(', ')},
		${finite('doubt')} AS doubt,
		details
	FROM read_parquet(${file})`;

/** Of two channels of one name in an episode's stream, the one with the lowest native index counts. */
const onlyFirstOfName = `QUALIFY row_number() OVER (
		PARTITION BY episode_index, stream, channel ORDER BY native_index, native_channel
	) = 1`;

const channels = (file: string) => `
	SELECT
		episode_index::UINTEGER AS episode_index,
		stream, channel, native_channel,
		native_index::UINTEGER AS native_index,
		${aggregates.map(aggregate => `${finite(`"${aggregate}"`)} AS "${aggregate}"`).join(', ')}
	FROM read_parquet(${file})`;

const flaws = `
	SELECT
		count(*) - count(DISTINCT episode_index) AS twice,
		count(*) FILTER (
			details IS NOT NULL AND (NOT json_valid(details) OR json_type(details) <> 'OBJECT')
		) AS unreadable
	FROM staged_episode`;

/** The file of a staging folder that holds the channels. */
const channelFile = (staging: string) => path.join(staging, 'channels.parquet');

/**
 * Loads `episodes.parquet` of a staging folder into the temporary table `staged_episode` of the connection, within the
 * bounds of the interface.
 *
 * @throws LakeError `staging` when the file is missing, or its columns or values are not the agreed ones.
 */
export async function loadStagedEpisodes(
	database: Database,
	connection: DuckDBConnection,
	staging: string,
): Promise<void> {
	const file = path.join(staging, 'episodes.parquet');
	const bound = new Parameters();
	await reading(file, database.run(connection, episodes(bound.text(file)), bound));
	const [found] = await database.rows<{twice: bigint; unreadable: bigint}>(connection, flaws);
	if (found?.twice) throw unreadable(file, 'an episode index occurs twice');
	if (found?.unreadable) throw unreadable(file, 'details that are no JSON object');
}

/** Waits for a statement that reads a staged file, and says what that file is not. */
async function reading<Result>(file: string, statement: Promise<Result>): Promise<Result> {
	try {
		return await statement;
	} catch (error) {
		if (error instanceof LakeError && error.reason !== 'failed') throw error;
		throw unreadable(file, (error as LakeError).message, error);
	}
}

function unreadable(file: string, reason: string, cause?: unknown): LakeError {
	return new LakeError('staging', `The ingest handed over no readable ${file} (${reason}).`, {cause});
}

/**
 * The channels that any staged episode has, action first, then state, then telemetry, each in native order. They are read
 * from the file, where they may be hundreds of millions of rows; only names that occur for several channels are looked at
 * episode by episode.
 *
 * @throws LakeError `staging` when the file is missing, or its columns or values are not the agreed ones.
 */
export async function stagedChannels(
	database: Database,
	connection: DuckDBConnection,
	staging: string,
): Promise<Channel[]> {
	const file = channelFile(staging);
	const distinct = async (condition: (bound: Parameters) => string) => {
		const bound = new Parameters();
		const rows = channels(bound.text(file));
		const sql = `SELECT DISTINCT stream, channel, native_channel, native_index FROM (${rows} ${condition(bound)})
			ORDER BY stream, native_index, native_channel, channel`;
		return await reading(file, database.rows<Channel>(connection, sql, bound));
	};
	const found = await distinct(() => '');
	const nameOf = ({stream, channel}: Channel) => JSON.stringify([stream, channel]);
	const sharing = new Set(
		[...Map.groupBy(found, nameOf)].flatMap(([name, members]) => (members.length > 1 ? [name] : [])),
	);
	if (sharing.size === 0) return found;
	const names = [...new Set(found.filter(each => sharing.has(nameOf(each))).map(({channel}) => channel))];
	const kept = await distinct(
		bound => `WHERE channel IN (SELECT unnest(${bound.texts(names)})) ${onlyFirstOfName}`,
	);
	const counting = new Set(kept.map(channelIdentity));
	return found.filter(each => !sharing.has(nameOf(each)) || counting.has(channelIdentity(each)));
}

/** Lays the slots of a layout into the temporary table `staged_slot`. */
export async function loadStagedSlots(
	database: Database,
	connection: DuckDBConnection,
	placed: readonly PlacedChannel[],
): Promise<void> {
	const bound = new Parameters();
	await database.run(
		connection,
		`CREATE OR REPLACE TEMP TABLE staged_slot AS
		SELECT unnest(${bound.integers(placed.map(({slot}) => slot))})::INTEGER AS slot,
			unnest(${bound.texts(placed.map(({stream}) => stream))}) AS stream,
			unnest(${bound.texts(placed.map(({channel}) => channel))}) AS channel,
			unnest(${bound.texts(placed.map(({native_channel}) => native_channel))}) AS native_channel,
			unnest(${bound.integers(placed.map(({native_index}) => native_index))})::UINTEGER AS native_index`,
		bound,
	);
}

/** Episodes of a staging folder that are written at once, by their indices. */
type StagedRange = {readonly first: number; readonly last: number};

/** How many episodes are written at once: what their channels take while they are turned into columns stays small. */
const episodesAtOnce = 32_768;

/** The staged episodes in the order of their indices, as many at a time as are written at once. */
export async function stagedRanges(database: Database, connection: DuckDBConnection): Promise<StagedRange[]> {
	return await database.rows<StagedRange>(
		connection,
		`SELECT min(episode_index)::DOUBLE AS first, max(episode_index)::DOUBLE AS last
		FROM staged_episode GROUP BY place // ${episodesAtOnce} ORDER BY first`,
	);
}

/**
 * The slots of a band for each of these episodes: four lists in the order of the slots, NULL where the episode lacks the
 * channel. They are sorted after they are gathered: an ordered aggregate was measured to take five times as long.
 */
export function slotLists(
	staging: string,
	band: number,
	{first, last}: StagedRange,
	bound: Parameters,
): string {
	const range = `episode_index BETWEEN ${bound.integer(first)} AND ${bound.integer(last)}`;
	const slots = `(SELECT * FROM staged_slot WHERE slot // ${bandSlots} = ${bound.integer(band)})`;
	const fields = aggregates.map(name => `"${name}": "${name}"`).join(', ');
	const lists = aggregates.map(name => `list_transform(slots, lambda one: one."${name}") AS "${name}"`);
	return `
		SELECT episode_index, ${lists.join(', ')}
		FROM (
			SELECT episode_index, list_sort(list({slot: slot, ${fields}})) AS slots
			FROM (SELECT episode_index, slot FROM staged_episode, ${slots} WHERE ${range}) wanted
			LEFT JOIN (
				SELECT * FROM (
					${channels(bound.text(channelFile(staging)))}
					WHERE ${range} AND channel IN (SELECT channel FROM ${slots})
					${onlyFirstOfName}
				) JOIN ${slots} USING (stream, channel, native_channel, native_index)
			) measured USING (episode_index, slot)
			GROUP BY episode_index
		)`;
}

/** Forgets the temporary tables. */
export async function dropStagedRows(database: Database, connection: DuckDBConnection): Promise<void> {
	await database.run(connection, 'DROP TABLE IF EXISTS staged_episode');
	await database.run(connection, 'DROP TABLE IF EXISTS staged_slot');
}

/** A run of consecutive keys. */
export type KeyRange = {base: number; count: number};

/**
 * The lowest key from which `count` keys in a row are free. Keys that a replaced generation gave up are taken again,
 * so they stay small however often datasets are ingested anew.
 */
export function freeRange(used: readonly KeyRange[], count: number): number {
	let base = 0;
	for (const range of used.filter(range => range.count > 0).sort((a, b) => a.base - b.base)) {
		if (range.base - base >= count) return base;
		base = Math.max(base, range.base + range.count);
	}
	return base;
}
