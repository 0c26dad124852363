import path from 'node:path';
import type {ClickHouseClient} from '@clickhouse/client';
import type {ExploreQuery, ExploreResponse} from '../../../contract/explore.ts';
import type {DatasetListResponse} from '../../../contract/listing.ts';
import type {ChannelList, Histogram, HistogramQuery} from '../../../contract/local-distribution.ts';
import type {LocalExploreQuery, LocalExploreResponse} from '../../../contract/local-explore.ts';
import type {SiblingGroup} from '../../../contract/local-series.ts';
import type {Stream} from '../../../contract/vocabulary.ts';
import {count} from '../count.ts';
import type {
	DatasetDetails,
	DatasetQuery,
	EpisodePlace,
	HeldDataset,
	LakeEngine,
	LakeTotals,
	Mark,
	Publication,
	Published,
	Recording,
} from '../engine.ts';
import {RecentAnswers} from '../recent-answers.ts';
import {listDatasets} from './dataset-list.ts';
import {answerOf} from './explore.ts';
import {histogram} from './histogram.ts';
import {amongIntegers, text} from './literals.ts';
import {currentDatasets, isInState, type Moment, momentOf, within} from './moment.ts';
import {markRemoved, type PublishingFolders, publish} from './publish.ts';
import {episodeIds, recordings, writeReviews} from './reviews.ts';
import {prepareSchema} from './schema.ts';
import {Server} from './server.ts';
import {sweep} from './sweep.ts';

type Opened = {readonly server: Server; readonly folders: PublishingFolders; readonly cluster: string};

/**
 * A lake in a database of a ClickHouse server, which several services may share. There are no transactions: an answer reads
 * first which generation of every dataset is in the lake, and binds each of its statements to those.
 */
export class ClickHouseLake implements LakeEngine {
	readonly #server: Server;
	readonly #folders: PublishingFolders;
	readonly #cluster: string;
	readonly #explored = new RecentAnswers<LocalExploreResponse>();
	/** The last of the publications, which follow one another. */
	#publishing: Promise<unknown> = Promise.resolve();
	#closing: Promise<void> | undefined;

	private constructor({server, folders, cluster}: Opened) {
		this.#server = server;
		this.#folders = folders;
		this.#cluster = cluster;
	}

	/**
	 * Opens the lake that a client is connected to, or makes its tables.
	 *
	 * @param client made with `clientOptions`; closed with the lake
	 * @param name the lake in sentences, without a password
	 * @param folder the service's own, below which publications are staged and worked out
	 * @throws LakeError `newer`, `not-a-lake`, `denied` or `failed`
	 */
	static async open(client: ClickHouseClient, name: string, folder: string): Promise<ClickHouseLake> {
		const server = new Server(client, name);
		try {
			const {cluster} = await prepareSchema(server);
			const root = path.resolve(folder);
			const folders = {staging: path.join(root, 'staging'), drafts: path.join(root, 'drafts')};
			return new ClickHouseLake({server, folders, cluster});
		} catch (error) {
			await server.close();
			throw error;
		}
	}

	async explore(query: ExploreQuery): Promise<ExploreResponse> {
		return await answerOf(this.#server, await this.#now(), query);
	}

	async localExplore(query: LocalExploreQuery): Promise<LocalExploreResponse> {
		// Other services write too: an answer is remembered with the state of the lake that it is of.
		const moment = await this.#now();
		const question = {
			query,
			of: [moment.reviews, ...moment.datasets.map(({generation_key}) => generation_key)],
		};
		return await this.#explored.to(question, () => answerOf(this.#server, moment, query, {withOwn: true}));
	}

	async histogram(query: HistogramQuery): Promise<Histogram> {
		return await histogram(this.#server, await this.#now(), query);
	}

	async channels(): Promise<ChannelList> {
		return await listChannels(this.#server, await this.#now());
	}

	async datasets(query: DatasetQuery, among?: readonly string[]): Promise<DatasetListResponse> {
		return await listDatasets(this.#server, query, among);
	}

	async details(nameOrId: string): Promise<DatasetDetails | undefined> {
		const columns =
			'dataset_id, edition, dataset_name, folder, subtype, format, fps, robot_type, cameras, features';
		const [found] = await this.#server.rows<Omit<DatasetDetails, 'features'> & {features: string}>(
			`SELECT dataset_id, dataset_name, folder, subtype, format, fps, robot_type, cameras, features
			FROM ${currentDatasets(columns)}
			WHERE dataset_name = ${text(nameOrId)} OR dataset_id = ${text(nameOrId.toLowerCase())}
			ORDER BY dataset_name = ${text(nameOrId)} DESC LIMIT 1`,
		);
		return found && {...found, features: JSON.parse(found.features) as DatasetDetails['features']};
	}

	async dataset(name: string): Promise<HeldDataset | undefined> {
		return await this.#held('dataset_name', name);
	}

	async datasetById(datasetId: string): Promise<HeldDataset | undefined> {
		return await this.#held('dataset_id', datasetId);
	}

	async #held(column: 'dataset_name' | 'dataset_id', value: string): Promise<HeldDataset | undefined> {
		const own = 'dataset_id, dataset_name, folder, dataset_version_id, generation, episode_count';
		const columns = `${own}, edition, toString(frame_count) AS frames, changed_episodes`;
		const [found] = await this.#server.rows<
			Omit<HeldDataset, 'other_changes' | 'total_frames'> & {frames: string}
		>(
			`SELECT ${own}, frames, changed_episodes FROM ${currentDatasets(columns)} WHERE ${column} = ${text(value)}`,
		);
		if (!found) return undefined;
		const {frames, ...rest} = found;
		return {...rest, total_frames: BigInt(frames), other_changes: null};
	}

	async totals(): Promise<LakeTotals> {
		const columns = 'dataset_id, edition, episode_count, frame_count, duration_s, problems';
		const [totals] = await this.#server.rows<{
			datasets: number;
			episodes: string;
			frames: string;
			duration: number;
			untrainable: number;
		}>(
			`SELECT count() AS datasets, toString(sum(episode_count)) AS episodes, toString(sum(frame_count)) AS frames,
				sum(duration_s) AS duration, countIf(position(problems, '"prevents_training":true') > 0) AS untrainable
			FROM ${currentDatasets(columns)}`,
		);
		return {
			datasets: totals?.datasets ?? 0,
			episodes: count(BigInt(totals?.episodes ?? 0)),
			frames: count(BigInt(totals?.frames ?? 0)),
			duration: totals?.duration ?? 0,
			untrainable: totals?.untrainable ?? 0,
		};
	}

	async publish(publication: Publication): Promise<Published> {
		return await this.#write(async () => {
			const published = await publish(this.#server, this.#folders, publication);
			// A later one takes out what it leaves.
			await sweep(this.#server, this.#cluster).catch(() => undefined);
			return published;
		});
	}

	async remove(datasetId: string): Promise<boolean> {
		return await this.#write(async () => {
			const {datasets} = await this.#now();
			const found = datasets.find(({dataset_id}) => dataset_id === datasetId);
			if (!found) return false;
			await markRemoved(this.#server, datasetId, found.dataset_name);
			return true;
		});
	}

	async review(marks: readonly Mark[]): Promise<void> {
		await this.#write(() => writeReviews(this.#server, marks));
	}

	async recordings(ids: readonly string[]): Promise<Recording[]> {
		return await recordings(this.#server, await this.#now(), ids);
	}

	async rejectedOf(datasetName: string): Promise<number[]> {
		const moment = await this.#now();
		const datasets = moment.datasets.filter(({dataset_name}) => dataset_name === datasetName);
		const rows = await this.#server.rows<{episode_index: number}>(
			`SELECT e.episode_index AS episode_index FROM episode e
			WHERE ${within('e', datasets)} AND ${isInState(moment, text('rejected'))} ORDER BY e.episode_index`,
		);
		return rows.map(({episode_index}) => episode_index);
	}

	async place(episodeId: string): Promise<EpisodePlace | undefined> {
		const moment = await this.#now();
		const [id] = episodeIds([episodeId]);
		if (id === undefined) return undefined;
		const [found] = await this.#server.rows<{
			generation_key: number;
			profile_key: number;
			episode_index: number;
			revision: string;
		}>(
			`SELECT generation_key, profile_key, episode_index, revision FROM episode e
			WHERE ${within('e', moment.datasets)} AND e.episode_id = ${text(id)} LIMIT 1`,
		);
		const held = moment.datasets.find(({generation_key}) => generation_key === found?.generation_key);
		if (!found || !held) return undefined;
		const only = `generation_key = ${found.generation_key}`;
		const [[profile], [dataset]] = await Promise.all([
			this.#server.rows<{task: string | null}>(
				`SELECT task FROM profile WHERE ${only} AND profile_key = ${found.profile_key}`,
			),
			this.#server.rows<{folder: string; siblings: string | null}>(
				`SELECT folder, siblings FROM dataset WHERE ${only} LIMIT 1`,
			),
		]);
		return {
			episode_id: id,
			dataset_name: held.dataset_name,
			dataset_version_id: held.dataset_version_id,
			folder: dataset?.folder ?? '',
			episode_index: found.episode_index,
			revision: found.revision,
			task: profile?.task ?? null,
			siblings: JSON.parse(dataset?.siblings ?? '[]') as SiblingGroup[],
		};
	}

	async nextOrdinal(datasetName: string): Promise<number> {
		const {datasets} = await this.#now();
		const [found] = await this.#server.rows<{next: string | null}>(
			`SELECT toString(max(e.member_ordinal)) AS next FROM episode e
			WHERE ${within('e', datasets)} AND e.parent_dataset = ${text(datasetName)}`,
		);
		return Math.min(Number(found?.next ?? -1) + 1, Number.MAX_SAFE_INTEGER);
	}

	async close(): Promise<void> {
		this.#closing ??= (async () => {
			await this.#publishing.catch(() => undefined);
			await this.#server.close();
		})();
		await this.#closing;
	}

	async #now(): Promise<Moment> {
		return await momentOf(this.#server);
	}

	/** Writes one at a time. */
	async #write<Result>(work: () => Promise<Result>): Promise<Result> {
		const result = this.#publishing.catch(() => undefined).then(work);
		this.#publishing = result;
		return await result;
	}
}

/** Some arms with some hands each; a lake that has more names the rest when they are typed out. */
const most = 2000;

/** The channels of the lake, the most common first, and in how many episodes each may be asked for. */
async function listChannels(server: Server, {datasets}: Moment): Promise<ChannelList> {
	const episodes = new Map<number, number>();
	for (const {layout_key, episode_count} of datasets) {
		episodes.set(layout_key, (episodes.get(layout_key) ?? 0) + episode_count);
	}
	if (episodes.size === 0) return {items: [], more: false};
	const layouts = [...episodes.keys()];
	const counts = layouts.map(layout => episodes.get(layout) ?? 0);
	const rows = await server.rows<{stream: Stream; channel: string; episodes: number}>(
		`SELECT stream, channel, sum(transform(layout_key, [${layouts.join(', ')}], [${counts.join(', ')}], 0)) AS episodes
		FROM (SELECT DISTINCT layout_key, stream, channel FROM channel WHERE ${amongIntegers('layout_key', layouts)})
		GROUP BY stream, channel ORDER BY episodes DESC, stream, channel LIMIT ${most + 1}`,
	);
	return {
		items: rows.slice(0, most).map(row => ({...row, episodes: count(BigInt(row.episodes))})),
		more: rows.length > most,
	};
}
