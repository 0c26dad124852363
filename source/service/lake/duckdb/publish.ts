import {randomUUID} from 'node:crypto';
import type {DuckDBConnection} from '@duckdb/node-api';
import {heldMetrics} from '../../../contract/metrics.ts';
import type {OtherChanges} from '../../../contract/sync-status.ts';
import {LakeError, type Mark, type Publication, type Published} from '../engine.ts';
import {type Layout, layoutFor} from './channel-layout.ts';
import type {Database} from './database.ts';
import {clearDataset, type DatasetPlace, datasetPlaces, dropUnusedLayouts} from './dataset-rows.ts';
import {inheritedMarks, inheritFindings} from './inherited.ts';
import {
	bandsOf,
	insertBands,
	insertEpisodes,
	insertLayout,
	insertProfiles,
	profileColumns,
} from './insert-rows.ts';
import {Parameters} from './parameters.ts';
import {clearUnpublished} from './slot-bands.ts';
import {
	dropStagedRows,
	freeRange,
	loadStagedEpisodes,
	loadStagedSlots,
	readStagedDataset,
	type StagedDataset,
	stagedChannels,
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
		// The next publication removes what a second failure leaves; the first failure is the one to report.
		await clearUnpublished(database, connection).catch(() => undefined);
		throw error;
	} finally {
		// The next publication replaces what a failure leaves; the failure itself is the one to report.
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

/** The changes since the generation before; undefined if there are no episodes at all. */
type ChangesSince = {readonly episodes: number; readonly others: OtherChanges};

/** The results of an ingest that may change although the recording is the same. */
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

/** The facts of a staged dataset before its rows are replaced. */
type Staged = {
	described: StagedDataset;
	totals: StagedTotals;
	places: readonly DatasetPlace[];
	previous: DatasetPlace | undefined;
	row: number;
};

type StagedTotals = {episodes: bigint; frames: bigint; duration: number; profiles: bigint};

const stagedTotals = `
	SELECT
		count(*) AS episodes,
		coalesce(sum(frame_count), 0)::HUGEINT AS frames,
		coalesce(sum(duration_s), 0) AS duration,
		(SELECT count(*) FROM (SELECT DISTINCT ${profileColumns} FROM staged_episode)) AS profiles
	FROM staged_episode`;
