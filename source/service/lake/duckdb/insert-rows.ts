import type {DuckDBConnection} from '@duckdb/node-api';
import {heldMetrics} from '../../../contract/metrics.ts';
import {aggregates} from '../../../contract/vocabulary.ts';
import {bandOf, type PlacedChannel, slotColumn} from '../channel-slots.ts';
import type {Publication} from '../engine.ts';
import type {Layout} from './channel-layout.ts';
import type {Database} from './database.ts';
import {Parameters} from './parameters.ts';
import {markRows} from './reviews.ts';
import {bandTable, createBand, noteUnpublished} from './slot-bands.ts';
import {type KeyRange, slotLists, stagedRanges} from './staged-dataset.ts';

/*
 * Writes the rows of a staged dataset into the lake's tables.
 */

/** The first keys of a dataset's rows. */
export type Keys = {dataset: number; row: number; profile: number};

/** One distinct combination of these is a profile. */
export const profileColumns = 'task, tier, marker_signature, tags';

export async function insertProfiles(
	database: Database,
	connection: DuckDBConnection,
	keys: Keys,
): Promise<void> {
	const bound = new Parameters();
	await database.run(
		connection,
		`INSERT INTO profile
		SELECT
			${bound.integer(keys.profile)} + row_number() OVER (ORDER BY ${profileColumns}) - 1,
			${bound.integer(keys.dataset)},
			${profileColumns}
		FROM (SELECT DISTINCT ${profileColumns} FROM staged_episode)`,
		bound,
	);
}

/** A layout that the lake had already is not written again. */
export async function insertLayout(
	database: Database,
	connection: DuckDBConnection,
	layout: Layout,
): Promise<void> {
	if (layout.known) return;
	for (const placed of layout.channels) {
		const bound = new Parameters();
		await database.run(
			connection,
			`INSERT INTO channel VALUES (${[
				bound.integer(placed.layout_key),
				bound.integer(placed.slot),
				bound.text(placed.stream),
				bound.text(placed.channel),
				bound.text(placed.native_channel),
				bound.integer(placed.native_index),
			].join(', ')})`,
			bound,
		);
	}
}

/** The bands that a layout has slots in. */
export function bandsOf({channels}: Layout): number[] {
	return [...new Set(channels.map(({slot}) => bandOf(slot)))].sort((a, b) => a - b);
}

/** Writes what lies beyond the first band, a band a transaction. No episode has these keys yet. */
export async function insertBands(
	database: Database,
	connection: DuckDBConnection,
	rows: KeyRange,
	layout: Layout,
	staging: string,
): Promise<void> {
	const bands = bandsOf(layout).filter(band => band > 0);
	if (bands.length === 0) return;
	await noteUnpublished(database, connection, rows);
	const ranges = await stagedRanges(database, connection);
	for (const band of bands) {
		await createBand(database, connection, band);
		await database.transaction(connection, 'READ WRITE', async () => {
			for (const range of ranges) {
				const bound = new Parameters();
				const values = [
					`${bound.integer(rows.base)} + staged.place AS row_key`,
					...slotValues(layout.channels, band),
				];
				await database.run(
					connection,
					`INSERT INTO ${bandTable(band)} BY NAME
					SELECT ${values.join(', ')}
					FROM staged_episode staged JOIN (${slotLists(staging, band, range, bound)}) lists USING (episode_index)
					ORDER BY staged.place`,
					bound,
				);
			}
		});
	}
}

const copied = [
	'episode_index',
	'episode_id',
	'revision',
	'parent_dataset',
	'parent_episode_index',
	'member_ordinal',
	'frame_count',
	'duration_s',
	'quality_score',
	'doubt',
	...heldMetrics,
	'details',
];

export async function insertEpisodes(
	database: Database,
	connection: DuckDBConnection,
	keys: Keys,
	layout: Layout,
	{reviews = [], staging}: Publication,
): Promise<void> {
	for (const range of await stagedRanges(database, connection)) {
		const bound = new Parameters();
		const values = [
			`${bound.integer(keys.row)} + staged.place AS row_key`,
			`${bound.integer(keys.dataset)} AS dataset_key`,
			'profile.profile_key',
			`${bound.integer(layout.layout_key)} AS layout_key`,
			'coalesce(mark.decided, staged.review_state) AS review_state',
			'staged.review_state AS ingested_state',
			...copied.map(column => `staged.${column}`),
			...slotValues(layout.channels, 0),
		];
		await database.run(
			connection,
			`INSERT INTO episode BY NAME
		SELECT ${values.join(', ')}
		FROM staged_episode staged
		JOIN profile
			ON profile.dataset_key = ${bound.integer(keys.dataset)}
			AND profile.task IS NOT DISTINCT FROM staged.task
			AND profile.tier IS NOT DISTINCT FROM staged.tier
			AND profile.marker_signature IS NOT DISTINCT FROM staged.marker_signature
			AND profile.tags = staged.tags
		LEFT JOIN ${markRows(reviews, bound)} mark ON mark.revision = staged.revision
		LEFT JOIN (${slotLists(staging, 0, range, bound)}) lists ON lists.episode_index = staged.episode_index
		WHERE staged.episode_index BETWEEN ${bound.integer(range.first)} AND ${bound.integer(range.last)}
		ORDER BY staged.place`,
			bound,
		);
	}
}

/**
 * The columns of a layout's slots in a band, taken from the lists. An aggregate with a filter for each column would say the
 * same, but takes DuckDB time that grows with the square of their number.
 */
function slotValues(channels: readonly PlacedChannel[], band: number): string[] {
	const slots = channels.flatMap(({slot}) => (bandOf(slot) === band ? slot : [])).sort((a, b) => a - b);
	return slots.flatMap((slot, place) =>
		aggregates.map(aggregate => `lists."${aggregate}"[${place + 1}] AS ${slotColumn(slot, aggregate)}`),
	);
}
