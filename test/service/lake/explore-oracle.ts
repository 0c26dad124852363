import type {OwnExploreQuery as ExploreQuery} from '../../../source/contract/local-explore.ts';
import type {ModelChannel, ModelDataset, ModelEpisode} from './lake-model.ts';

/**
 * Explore as sections 2 and 4.1 of the interface document describe it, over plain arrays, with nothing clever and
 * nothing shared with the service. What the document leaves open follows the rules that `explore` states.
 */

type Row = {dataset: ModelDataset; episode: ModelEpisode};

export type OracleAnswer = {
	episodes: Array<{
		dataset_name: string;
		episode_index: number;
		episode_id: string;
		parent_episode_id: string | null;
		channel_predicate_evidence: unknown[];
	}>;
	channel_predicate_evidence: unknown[];
	total: number;
	total_frames: bigint;
	total_duration_seconds: number;
	facets: Record<string, unknown>;
};

/** Unicode's simple lowercase of each code point by itself. */
function fold(text: string): string {
	return [...text].map(point => (point === 'İ' ? 'i' : point.toLowerCase())).join('');
}

function compare(value: number | null | undefined, op: string, threshold: number): boolean {
	if (value === null || value === undefined || !Number.isFinite(value)) return false;
	if (op === 'gt') return value > threshold;
	if (op === 'lt') return value < threshold;
	if (op === 'gte') return value >= threshold;
	return value <= threshold;
}

function numericValue(episode: ModelEpisode, field: string): number | null | undefined {
	if (field === 'frame_count') return Number(episode.frame_count);
	if (field === 'duration_s') return episode.duration_s;
	if (field === 'quality_score') return episode.quality_score;
	return episode.numbers[field];
}

/** Of channels of one name, the one with the lowest native index. */
function channelOf(episode: ModelEpisode, stream: string, name: string): ModelChannel | undefined {
	return episode.channels
		.filter(channel => channel.stream === stream && channel.channel === name)
		.sort((a, b) => a.native_index - b.native_index)[0];
}

function among(values: readonly string[] | undefined, value: string | null): boolean {
	if (values === undefined || values.length === 0) return true;
	return value !== null && values.includes(value);
}

type FacetName = 'task' | 'tier' | 'interface_hash' | 'marker_signature' | 'robot_type' | 'dataset';

/** What each facet counts; null is not counted. */
const facetValue: Record<FacetName, (row: Row) => string | null> = {
	task: row => row.episode.task,
	tier: row => row.episode.tier ?? '',
	interface_hash: row => row.dataset.interface_hash,
	marker_signature: row => row.episode.marker_signature,
	robot_type: row => row.dataset.robot_type ?? null,
	dataset: row => row.dataset.dataset_name,
};

function passesFacet(query: ExploreQuery, name: FacetName, row: Row): boolean {
	const wanted = {
		task: query.tasks,
		tier: query.tiers,
		interface_hash: query.interface_hashes,
		marker_signature: query.marker_signatures,
		robot_type: query.robot_types,
		dataset: query.dataset_ids?.map(id => id.toLowerCase()),
	};
	const unwanted = {
		task: query.not?.tasks,
		tier: query.not?.tiers,
		interface_hash: query.not?.interface_hashes,
		marker_signature: query.not?.marker_signatures,
		robot_type: query.not?.robot_types,
		dataset: query.not?.dataset_ids?.map(id => id.toLowerCase()),
	};
	// Datasets are counted by name and asked for by id.
	const value = name === 'dataset' ? row.dataset.dataset_id : facetValue[name](row);
	return (
		among(wanted[name], value) &&
		!(value !== null && (unwanted[name] ?? ([] as string[])).some(each => each === value))
	);
}

function passesRest(query: ExploreQuery, {dataset, episode}: Row): boolean {
	const search = fold(query.search);
	const texts = [episode.task ?? '', dataset.dataset_name, ...episode.tags];
	const isChild = episode.parent_episode_index !== null;
	return (
		(query.tags ?? []).every(tag => episode.tags.includes(tag)) &&
		!(query.not?.tags ?? []).some(tag => episode.tags.includes(tag)) &&
		!(query.not?.review_states ?? []).some(state => episode.review_state === state) &&
		(query.review_state === '' || episode.review_state === query.review_state) &&
		(query.episode_index == null || episode.episode_index === query.episode_index) &&
		(query.parent_episode_index == null || episode.parent_episode_index === query.parent_episode_index) &&
		(query.lineage === '' || (query.lineage === 'children') === isChild) &&
		texts.some(text => fold(text).includes(search)) &&
		(query.numeric_predicates ?? []).every(({field, op, value}) =>
			compare(numericValue(episode, field), op, value),
		) &&
		(query.channel_predicates ?? []).every(({stream, channel, agg, op, value}) =>
			compare(channelOf(episode, stream, channel)?.[agg], op, value),
		)
	);
}

const facetNames = Object.keys(facetValue) as FacetName[];

/** Those that the interface's answer does not count. */
const ownFacets: ReadonlySet<FacetName> = new Set(['robot_type', 'dataset']);

/** Order of Unicode code points, which is also that of UTF-8 bytes. */
function byCodePoint(a: string, b: string): number {
	return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function facetCounts(rows: readonly Row[], name: FacetName) {
	const counts = new Map<string, number>();
	for (const row of rows) {
		const value = facetValue[name](row);
		if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
	}
	const list = [...counts]
		.filter(([value]) => [...value].length <= 2048)
		.sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || byCodePoint(a, b))
		.slice(0, 512)
		.map(([value, count]) => ({value, count}));
	return {list, total: counts.size};
}

function evidence(query: ExploreQuery, {episode}: Row): unknown[] {
	return (query.channel_predicates ?? []).map(({stream, channel, agg, op, value}, predicate_index) => {
		const observed = channelOf(episode, stream, channel);
		return {
			predicate_index,
			stream,
			channel,
			agg,
			op,
			threshold: value,
			observed_value: observed?.[agg],
			native_channel: observed?.native_channel,
			native_index: observed?.native_index,
		};
	});
}

/** Answers a request over a lake of these datasets. */
export function exploreOracle(
	lake: readonly ModelDataset[],
	query: ExploreQuery,
	facetsOf: 'interface' | 'own' = 'interface',
): OracleAnswer {
	const rows = lake
		.flatMap(dataset => dataset.episodes.map(episode => ({dataset, episode})))
		.sort(
			(a, b) =>
				byCodePoint(a.dataset.dataset_name, b.dataset.dataset_name) ||
				a.episode.episode_index - b.episode.episode_index,
		);
	if (query.order_desc) rows.reverse();
	const candidates = rows.filter(row => passesRest(query, row));
	const under = (own?: FacetName) =>
		candidates.filter(row => facetNames.every(name => name === own || passesFacet(query, name, row)));
	const matching = under();
	const page = matching.slice(query.offset, query.offset + query.limit);
	const parentId = ({parent_dataset, parent_episode_index}: ModelEpisode) =>
		lake
			.find(dataset => dataset.dataset_name === parent_dataset)
			?.episodes.find(episode => episode.episode_index === parent_episode_index)?.episode_id ?? null;

	const facets: Record<string, unknown> = {
		marker_signature_unknown: under('marker_signature').filter(row => row.episode.marker_signature === null)
			.length,
	};
	for (const name of facetNames) {
		if (facetsOf === 'interface' && ownFacets.has(name)) continue;
		const {list, total} = facetCounts(under(name), name);
		facets[`by_${name}`] = list;
		facets[`by_${name}_total_values`] = total;
	}
	const [first] = page;
	return {
		episodes: page.map(row => ({
			dataset_name: row.dataset.dataset_name,
			episode_index: row.episode.episode_index,
			episode_id: row.episode.episode_id,
			parent_episode_id: parentId(row.episode),
			channel_predicate_evidence: evidence(query, row),
		})),
		channel_predicate_evidence: first ? evidence(query, first) : [],
		total: matching.length,
		total_frames: matching.reduce((sum, {episode}) => sum + episode.frame_count, 0n),
		total_duration_seconds: matching.reduce((sum, {episode}) => sum + episode.duration_s, 0),
		facets,
	};
}
