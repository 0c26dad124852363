import {randomUUID} from 'node:crypto';
import type {DuckDBConnection} from '@duckdb/node-api';
import {heldMetrics} from '../../../contract/metrics.ts';
import type {OtherChanges} from '../../../contract/sync-status.ts';
import {aggregates} from '../../../contract/vocabulary.ts';
import {LakeError, type Mark, type Publication, type Published} from '../engine.ts';
import {type Layout, layoutFor} from './channel-layout.ts';
import {bandOf, type PlacedChannel, slotColumn} from './channel-slots.ts';
import type {Database} from './database.ts';
import {clearDataset, type DatasetPlace, datasetPlaces, dropUnusedLayouts} from './dataset-rows.ts';
import {inheritedMarks, inheritFindings} from './inherited.ts';
import {Parameters} from './parameters.ts';
import {markRows} from './reviews.ts';
import {bandTable, clearUnpublished, createBand, noteUnpublished} from './slot-bands.ts';
import {
	dropStagedRows,
	freeRange,
	type KeyRange,
	loadStagedEpisodes,
	loadStagedSlots,
	readStagedDataset,
	type StagedDataset,
	slotLists,
	stagedChannels,
	stagedRanges,
} from './staged-dataset.ts';

/**
 * Replaces all rows of a dataset by those staged, as its next generation, in one transaction: an explore sees the
 * old generation or the new one, and a failure leaves the old one. What a dataset of many channels has beyond the first
 * band is written before, a band in a transaction of its own, so that a thousand channels are never held in memory.
 *
 * @throws LakeError `staging` for files that are not as agreed, `conflict` for a name that another dataset has.
 */
export async function publish(
	database: Database,
	connection: DuckDBConnection,
	publication: Publication,
): Promise<Published> {
	const described = await readStagedDataset(publication.staging);
	const {staging} = publication;
	await clearUnpublished(database, connection);
	try {
		await loadStagedEpisodes(database, connection, staging);
		const reviews = await inherit(database, connection, publication);
		const layout = await layoutFor(database, connection, await stagedChannels(database, connection, staging));
		await loadStagedSlots(database, connection, layout.channels);
		const [totals] = await database.rows<StagedTotals>(connection, stagedTotals);
		if (!totals) throw new LakeError('failed', `The lake ${database.file} gave no totals.`);
		const places = await datasetPlaces(database, connection);
		const previous = previousOf(places, publication);
		const row = rowsFor(places, previous, layout, Number(totals.episodes));
		await insertBands(database, connection, {base: row, count: Number(totals.episodes)}, layout, staging);
		const staged = {described, totals, places, previous, row};
		return await database.transaction(connection, 'READ WRITE', () =>
			replace(database, connection, {...publication, reviews}, layout, staged),
		);
	} catch (error) {
		// What remains after another failure is taken out by the next publication; the first failure is the one to tell.
		await clearUnpublished(database, connection).catch(() => undefined);
		throw error;
	} finally {
		// What remains after a failure is replaced by the next publication; the failure itself is the one to tell.
		await dropStagedRows(database, connection).catch(() => undefined);
	}
}

/** Gives children what is known of their parents. @returns the marks of all staged recordings, their own before inherited ones */
async function inherit(
	database: Database,
	connection: DuckDBConnection,
	{dataset_name, reviews = [], keepMarks}: Publication,
): Promise<readonly Mark[]> {
	await inheritFindings(database, connection, dataset_name);
	const own = new Set(reviews.map(({revision}) => revision));
	const inherited = (await inheritedMarks(database, connection, dataset_name)).filter(
		({revision}) => !own.has(revision),
	);
	if (inherited.length > 0) keepMarks?.(inherited);
	return [...reviews, ...inherited];
}

async function replace(
	database: Database,
	connection: DuckDBConnection,
	publication: Publication,
	layout: Layout,
	{described, totals, places, previous, row}: Staged,
): Promise<Published> {
	const others = places.filter(place => place !== previous);
	const changes = previous ? await changesSince(database, connection, previous.dataset_key) : undefined;
	if (previous) await clearDataset(database, connection, previous);
	const keys = {
		dataset:
			previous?.dataset_key ??
			freeRange(
				others.map(at => ({base: at.dataset_key, count: 1})),
				1,
			),
		row,
		profile: freeRange(
			others.map(at => ({base: at.profile_base, count: at.profile_count})),
			Number(totals.profiles),
		),
	};
	await insertLayout(database, connection, layout);
	await insertProfiles(database, connection, keys);
	await insertEpisodes(database, connection, keys, layout, publication);
	await database.run(connection, 'DELETE FROM unpublished');

	const published: Published = {
		dataset_version_id: randomUUID(),
		generation: Number(previous?.generation ?? 0n) + 1,
		episode_count: Number(totals.episodes),
		total_frames: totals.frames,
		changed_episodes: changes?.episodes ?? null,
		other_changes: changes?.others ?? null,
	};
	const now = Date.now();
	const bound = new Parameters();
	const columns: Record<string, string> = {
		dataset_key: bound.integer(keys.dataset),
		dataset_id: bound.text(publication.dataset_id),
		dataset_name: bound.text(publication.dataset_name),
		dataset_version_id: bound.text(published.dataset_version_id),
		generation: bound.integer(published.generation),
		folder: bound.text(publication.folder),
		subtype: bound.text(described.subtype),
		format: bound.text(described.format ?? null),
		robot_type: bound.text(described.robot_type ?? null),
		fps: bound.real(described.fps ?? null),
		interface_hash: bound.text(described.interface_hash ?? null),
		cameras: bound.texts(described.cameras),
		features: bound.text(JSON.stringify(described.features)),
		siblings: bound.text(JSON.stringify(described.siblings)),
		metadata: bound.text(described.metadata ? JSON.stringify(described.metadata) : null),
		problems: bound.text(JSON.stringify([...described.problems, ...layout.problems])),
		episode_count: bound.integer(totals.episodes),
		changed_episodes:
			published.changed_episodes === null ? 'NULL' : bound.integer(published.changed_episodes),
		frame_count: `${bound.text(totals.frames.toString())}::HUGEINT`,
		duration_s: bound.real(totals.duration),
		created_at: bound.integer(previous?.created_at ?? now),
		updated_at: bound.integer(now),
		layout_key: bound.integer(layout.layout_key),
		row_base: bound.integer(keys.row),
		profile_base: bound.integer(keys.profile),
		profile_count: bound.integer(totals.profiles),
	};
	await database.run(
		connection,
		`INSERT INTO dataset (${Object.keys(columns).join(', ')}) VALUES (${Object.values(columns).join(', ')})`,
		bound,
	);
	await dropUnusedLayouts(database, connection);
	return published;
}

/** The keys of a dataset's rows. Where some are written beforehand, those of the generation before are not taken. */
function rowsFor(
	places: readonly DatasetPlace[],
	previous: DatasetPlace | undefined,
	layout: Layout,
	episodes: number,
): number {
	const taken = bandsOf(layout).some(band => band > 0) ? places : places.filter(place => place !== previous);
	return freeRange(
		taken.map(at => ({base: Number(at.row_base), count: Number(at.episode_count)})),
		episodes,
	);
}

/** What is otherwise than in the generation before; undefined where there are no episodes at all. */
type ChangesSince = {readonly episodes: number; readonly others: OtherChanges};

/** What an ingest says of a recording that may differ although the recording is the same. */
const judged = ['tier', 'task', 'marker_signature', 'tags', 'quality_score', 'doubt', ...heldMetrics];

const missingVideos = (row: string) => `coalesce(json_array_length(${row}.details, '$.missing_videos'), 0)`;

async function changesSince(
	database: Database,
	connection: DuckDBConnection,
	datasetKey: number,
): Promise<ChangesSince | undefined> {
	const bound = new Parameters();
	const same = 'before.revision = staged.revision';
	const differ = judged.map(column => `before.${column} IS DISTINCT FROM staged.${column}`).join(' OR ');
	const [counts] = await database.rows<Record<'places' | 'changed' | 'found' | 'lost' | 'judged', bigint>>(
		connection,
		`SELECT count(*) AS places,
			count(*) FILTER (before.revision IS DISTINCT FROM staged.revision) AS changed,
			count(*) FILTER (${same} AND ${missingVideos('staged')} < ${missingVideos('before')}) AS found,
			count(*) FILTER (${same} AND ${missingVideos('staged')} > ${missingVideos('before')}) AS lost,
			count(*) FILTER (${same} AND (${differ})) AS judged
		FROM (
			SELECT * FROM episode JOIN profile USING (profile_key) WHERE episode.dataset_key = ${bound.integer(datasetKey)}
		) before
		FULL JOIN staged_episode staged USING (episode_index)`,
		bound,
	);
	if (counts === undefined || counts.places === 0n) return undefined;
	const {changed, found, lost} = counts;
	const others = {
		videos_found: Number(found),
		videos_lost: Number(lost),
		judged_anew: Number(counts.judged),
	};
	return {episodes: Number(changed), others};
}

/** The dataset's row of before, where there is one. */
function previousOf(places: readonly DatasetPlace[], publication: Publication): DatasetPlace | undefined {
	const {dataset_id, dataset_name} = publication;
	const sameId = places.find(place => place.dataset_id === dataset_id);
	const sameName = places.find(place => place.dataset_name === dataset_name);
	if (sameId === sameName) return sameId;
	throw new LakeError(
		'conflict',
		`The lake holds another dataset named ${sameName?.dataset_name ?? sameId?.dataset_name}: give this one a name of its own with --name.`,
	);
}

/** What is known of a staged dataset before its rows are replaced. */
type Staged = {
	described: StagedDataset;
	totals: StagedTotals;
	places: readonly DatasetPlace[];
	previous: DatasetPlace | undefined;
	row: number;
};

type Keys = {dataset: number; row: number; profile: number};

type StagedTotals = {episodes: bigint; frames: bigint; duration: number; profiles: bigint};

const profileColumns = 'task, tier, marker_signature, tags';

const stagedTotals = `
	SELECT
		count(*) AS episodes,
		coalesce(sum(frame_count), 0)::HUGEINT AS frames,
		coalesce(sum(duration_s), 0) AS duration,
		(SELECT count(*) FROM (SELECT DISTINCT ${profileColumns} FROM staged_episode)) AS profiles
	FROM staged_episode`;

async function insertProfiles(database: Database, connection: DuckDBConnection, keys: Keys): Promise<void> {
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
async function insertLayout(database: Database, connection: DuckDBConnection, layout: Layout): Promise<void> {
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

/** The bands that a layout has slots in. */
function bandsOf({channels}: Layout): number[] {
	return [...new Set(channels.map(({slot}) => bandOf(slot)))].sort((a, b) => a - b);
}

/** Writes what lies beyond the first band, a band a transaction. No episode has these keys yet. */
async function insertBands(
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

async function insertEpisodes(
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
