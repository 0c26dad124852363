import {createHash, randomInt, randomUUID} from 'node:crypto';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {heldMetrics} from '../../../contract/metrics.ts';
import {slotColumns} from '../channel-slots.ts';
import {
	columnsInBand,
	type DraftDataset,
	PublicationDraft,
	slotsByBand,
} from '../duckdb/publication-draft.ts';
import {LakeError, type Mark, type Publication, type Published} from '../engine.ts';
import {fold} from '../fold.ts';
import {amongIntegers, text} from './literals.ts';
import {type CurrentDataset, isInState, type Moment, momentOf, within} from './moment.ts';
import {writeReviews} from './reviews.ts';
import type {Server} from './server.ts';

/** Where publications are worked out. */
export type PublishingFolders = {readonly staging: string; readonly drafts: string};

/**
 * Writes a staged dataset into the lake as its next generation. Its rows are written under a key of their own, and are in
 * the lake by one insert, that of the dataset's row. What was broken off before that is no part of any answer, and is taken
 * out once a later publication of the name is in the lake.
 *
 * @throws LakeError `staging` for files that are not as agreed, `conflict` for a name that another dataset has, or for
 * another service's publication of it that came later and is there already
 */
export async function publish(
	server: Server,
	{staging, drafts}: PublishingFolders,
	publication: Publication,
): Promise<Published> {
	const draft = await PublicationDraft.open(path.join(drafts, `draft-${randomUUID()}.duckdb`), staging);
	try {
		const moment = await momentOf(server);
		const layouts = await takeLayouts(server, draft, moment);
		await takeDatasets(server, draft, moment, publication);
		const inherited: Mark[] = [];
		const published = await draft.publish({
			...publication,
			keepMarks: marks => {
				inherited.push(...marks);
				publication.keepMarks?.(marks);
			},
		});
		const own = await claim(server, publication.dataset_name);
		await writeReviews(server, [...(publication.reviews ?? []), ...inherited], {
			onlyNew: publication.dataset_name,
		});
		await writeRows(server, draft, {publication, published, layouts, ...own});
		await settleRivals(server, publication, own);
		return published;
	} finally {
		await draft.close();
	}
}

/** Hands the layouts of the lake to a draft. @returns the lake's keys, by those of the draft */
async function takeLayouts(server: Server, draft: PublicationDraft, {datasets}: Moment): Promise<number[]> {
	const keys = [...new Set(datasets.map(({layout_key}) => layout_key))];
	if (keys.length === 0) return [];
	const rows = await server.rows<{layout_key: number}>(
		`SELECT DISTINCT layout_key, slot, stream, channel, native_channel, native_index FROM channel
		WHERE ${amongIntegers('layout_key', keys)} ORDER BY layout_key, slot`,
	);
	// A dataset without channels has a layout without rows, which a draft knows nothing of.
	const held = [...new Set(rows.map(({layout_key}) => layout_key))];
	const places = new Map(held.map((key, place) => [key, place]));
	await draft.take(
		'channel',
		rows.map(row => ({...row, layout_key: places.get(row.layout_key)})),
	);
	return held;
}

/** Hands a draft the datasets of the lake, and the episodes of those that its publication looks at. */
async function takeDatasets(
	server: Server,
	draft: PublicationDraft,
	moment: Moment,
	{dataset_id, dataset_name, staging}: Publication,
): Promise<void> {
	if (moment.datasets.length === 0) return;
	const looked = new Set([dataset_name, ...(await draft.parents(staging))]);
	const isLooked = (dataset: CurrentDataset) =>
		dataset.dataset_id === dataset_id || looked.has(dataset.dataset_name);
	let rowBase = 0;
	let profileBase = 0;
	const created = new Map(
		(
			await server.rows<{key: number; created_at: number}>(
				`SELECT generation_key AS key, created_at FROM dataset d WHERE ${within('d', moment.datasets.filter(isLooked))}`,
			)
		).map(({key, created_at}) => [key, created_at]),
	);
	for (const [place, dataset] of moment.datasets.entries()) {
		if (!isLooked(dataset)) continue;
		const {generation_key} = dataset;
		const only = within('p', [dataset]);
		const profiles = await server.rows<{profile_key: number}>(
			`SELECT profile_key, task, tier, marker_signature, tags FROM profile p WHERE ${only} ORDER BY profile_key`,
		);
		const count = profiles.reduce((most, {profile_key}) => Math.max(most, profile_key + 1), 0);
		await draft.take(
			'profile',
			profiles.map(row => ({...row, dataset_key: place, profile_key: profileBase + row.profile_key})),
		);
		await takeEpisodes(server, draft, moment, dataset, {place, rowBase, profileBase});
		await draft.take('dataset', [
			{
				dataset_key: place,
				dataset_id: dataset.dataset_id,
				dataset_name: dataset.dataset_name,
				dataset_version_id: dataset.dataset_version_id,
				generation: dataset.generation,
				folder: '',
				subtype: '',
				cameras: [],
				features: '{}',
				problems: '[]',
				episode_count: dataset.episode_count,
				frame_count: '0',
				duration_s: 0,
				created_at: created.get(generation_key) ?? 0,
				updated_at: 0,
				layout_key: 0,
				row_base: rowBase,
				profile_base: profileBase,
				profile_count: count,
			},
		]);
		rowBase += dataset.episode_count;
		profileBase += count;
	}
}

/** Episodes that are read from the lake at once. */
const episodesAtOnce = 20_000;

const metricColumns = heldMetrics.filter(
	name => name !== 'frame_count' && name !== 'duration_s' && name !== 'quality_score',
);

async function takeEpisodes(
	server: Server,
	draft: PublicationDraft,
	moment: Moment,
	dataset: CurrentDataset,
	{place, rowBase, profileBase}: {place: number; rowBase: number; profileBase: number},
): Promise<void> {
	const columns = [
		'profile_key',
		'episode_index',
		'parent_dataset',
		'parent_episode_index',
		'duration_s',
		'quality_score',
		'doubt',
		'details',
		...metricColumns,
	].map(column => `e.${column} AS ${column}`);
	const states = ['rejected', 'human_audited'].flatMap(state => [
		`${isInState(moment, text(state))}`,
		text(state),
	]);
	let row = rowBase;
	for (let after = -1; ; ) {
		const found = await server.rows<Record<string, unknown> & {episode_index: number; profile_key: number}>(
			`SELECT ${columns.join(', ')}, toString(e.episode_id) AS episode_id, nullIf(e.revision, '') AS revision,
				toString(e.frame_count) AS frame_count, e.review_state AS ingested_state,
				multiIf(${states.join(', ')}, e.review_state) AS review_state
			FROM episode e WHERE ${within('e', [dataset])} AND e.episode_index > ${after}
			ORDER BY e.episode_index LIMIT ${episodesAtOnce}`,
		);
		await draft.take(
			'episode',
			found.map(one => ({
				...one,
				row_key: row++,
				dataset_key: place,
				layout_key: 0,
				profile_key: profileBase + one.profile_key,
			})),
		);
		const last = found.at(-1);
		if (last === undefined || found.length < episodesAtOnce) return;
		after = last.episode_index;
	}
}

/** The place of a publication among those of its name, and the key of its rows. */
type Claim = {readonly edition: number; readonly generationKey: number};

/** Takes an edition of a name that no other publication has: of two that ask for one at once neither gets it. */
export async function claim(server: Server, name: string): Promise<Claim> {
	for (;;) {
		const generationKey = randomInt(1, 2 ** 48 - 1);
		const [last] = await server.rows<{edition: number}>(
			`SELECT max(edition) AS edition FROM claim WHERE dataset_name = ${text(name)}`,
		);
		const edition = (last?.edition ?? 0) + 1;
		await server.insert(
			'claim',
			['dataset_name', 'edition', 'generation_key'],
			[[name, edition, generationKey]],
		);
		const [rivals] = await server.rows<{claims: number}>(
			`SELECT count() AS claims FROM claim WHERE dataset_name = ${text(name)} AND edition = ${edition}`,
		);
		if (rivals?.claims === 1) return {edition, generationKey};
		await delay(randomInt(5, 100));
	}
}

type Written = Claim & {
	publication: Publication;
	published: Published;
	layouts: readonly number[];
};

const episodeColumns = [
	'episode_index',
	'profile_key',
	'episode_id',
	'revision',
	'review_state',
	'parent_dataset',
	'parent_episode_index',
	'member_ordinal',
	'frame_count',
	'duration_s',
	'quality_score',
	'doubt',
	'details',
	...metricColumns,
];

async function writeRows(server: Server, draft: PublicationDraft, written: Written): Promise<void> {
	const {publication, published, layouts, edition, generationKey} = written;
	const {dataset_id, dataset_name} = publication;
	const dataset = await draft.dataset(dataset_name);
	const channels = await draft.channels(dataset.layout_key);
	const known = layouts[dataset.layout_key];
	const layoutKey = known ?? layoutKeyOf(channels);
	if (known === undefined) {
		await server.insert(
			'channel',
			['layout_key', 'slot', 'stream', 'channel', 'native_channel', 'native_index'],
			channels.map(one => [
				layoutKey,
				one.slot,
				one.stream,
				one.channel,
				one.native_channel,
				one.native_index,
			]),
		);
	}
	const profiles = await draft.profiles(dataset);
	const firstProfile = profiles[0]?.profile_key ?? 0;
	const common = [dataset_id, dataset_name, fold(dataset_name), dataset.interface_hash, dataset.robot_type];
	await server.insert(
		'profile',
		[
			'generation_key',
			'profile_key',
			'task',
			'tier',
			'marker_signature',
			'tags',
			'task_folded',
			'tags_folded',
			'dataset_id',
			'dataset_name',
			'name_folded',
			'interface_hash',
			'robot_type',
			'episodes',
			'frames',
			'seconds',
		],
		profiles.map(one => [
			generationKey,
			one.profile_key - firstProfile,
			one.task,
			one.tier,
			one.marker_signature,
			one.tags,
			fold(one.task ?? ''),
			one.tags.map(fold),
			...common,
			one.episodes,
			one.frames,
			Math.min(one.seconds, Number.MAX_VALUE),
		]),
	);
	const bands = slotsByBand(channels);
	const near = bands.get(0) ?? [];
	const columns = [...episodeColumns, ...near.flatMap(slot => slotColumns(slot, slot + 1))];
	const profilePlace = columns.indexOf('profile_key');
	await server.insert(
		'episode',
		['generation_key', 'layout_key', 'dataset_name', ...columns],
		mapped(draft.episodes(dataset, columns), row => {
			row[profilePlace] = Number(row[profilePlace]) - firstProfile;
			return [generationKey, layoutKey, dataset_name, ...row];
		}),
	);
	for (const [band, slots] of bands) {
		if (band === 0) continue;
		await server.insert(
			'slots',
			['generation_key', 'band', 'dataset_name', 'episode_index', ...columnsInBand(slots)],
			mapped(draft.slots(dataset, band, slots), row => [generationKey, band, dataset_name, ...row]),
		);
	}
	await writeDataset(server, dataset, {publication, published, edition, generationKey, layoutKey});
}

/** Puts the generation into the lake. */
async function writeDataset(
	server: Server,
	dataset: DraftDataset,
	{publication, published, edition, generationKey, layoutKey}: Omit<Written, 'layouts'> & {layoutKey: number},
): Promise<void> {
	const {dataset_id, dataset_name, folder} = publication;
	const columns: Record<string, unknown> = {
		dataset_id,
		edition,
		is_removed: 0,
		generation_key: generationKey,
		dataset_name,
		dataset_version_id: published.dataset_version_id,
		generation: published.generation,
		folder,
		subtype: dataset.subtype,
		format: dataset.format,
		robot_type: dataset.robot_type,
		fps: dataset.fps,
		interface_hash: dataset.interface_hash,
		cameras: dataset.cameras,
		features: dataset.features,
		metadata: dataset.metadata,
		siblings: dataset.siblings,
		problems: dataset.problems,
		episode_count: dataset.episode_count,
		changed_episodes: published.changed_episodes,
		frame_count: dataset.frame_count,
		duration_s: Math.min(dataset.duration_s, Number.MAX_VALUE),
		created_at: dataset.created_at,
		updated_at: dataset.updated_at,
		layout_key: layoutKey,
		path_folded: fold(`local/${dataset_name}`),
	};
	await server.insert('dataset', Object.keys(columns) as [string, ...string[]], [Object.values(columns)]);
}

/** A key that publications of the same channels in the same slots share, whichever service makes them. */
function layoutKeyOf(channels: readonly object[]): number {
	const hash = createHash('sha256').update(JSON.stringify(channels)).digest();
	return hash.readUIntBE(0, 6);
}

async function* mapped(rows: AsyncIterable<unknown[]>, change: (row: unknown[]) => unknown[]) {
	for await (const row of rows) yield change(row);
}

/** Looks whether another publication of the name came later and is there already. */
async function settleRivals(
	server: Server,
	{dataset_id, dataset_name}: Publication,
	{edition}: Claim,
): Promise<void> {
	const [later] = await server.rows<{generation: number; dataset_id: string}>(
		`SELECT generation, dataset_id FROM dataset
		WHERE dataset_name = ${text(dataset_name)} AND edition > ${edition} ORDER BY edition DESC LIMIT 1`,
	);
	if (later === undefined) return;
	if (later.dataset_id !== dataset_id) {
		await markRemoved(server, dataset_id, dataset_name);
	}
	throw new LakeError(
		'conflict',
		`Another service published ${dataset_name} meanwhile, as generation ${later.generation}, which counts: ingest it again if it should be this one.`,
	);
}

/** Takes a dataset out by one insert. */
export async function markRemoved(server: Server, datasetId: string, name: string): Promise<void> {
	const {edition, generationKey} = await claim(server, name);
	await server.insert(
		'dataset',
		['dataset_id', 'edition', 'is_removed', 'generation_key', 'dataset_name'],
		[[datasetId, edition, 1, generationKey, name]],
	);
}
