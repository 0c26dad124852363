import type {LocalExploreQuery} from '../../../contract/local-explore.ts';
import {heldMetrics} from '../../../contract/metrics.ts';
import {bandOf, type ResolvedPredicate, slotColumn} from '../channel-slots.ts';
import {type EpisodeRow, evidenceOf, type ParentIds, toLakeEpisode} from '../episode-answer.ts';
import {type DatasetShare, stretchOf} from '../explore-summary.ts';
import {
	columnInBand,
	episodeConditions,
	facetConditions,
	profileCondition,
	resolvePredicates,
	sharedProfileConditions,
	sortFigure,
} from './filters.ts';
import {amongIntegers, text} from './literals.ts';
import {lastDecisions, type Moment, within} from './moment.ts';
import type {Server} from './server.ts';
import {summarize} from './summary.ts';

/** Answers section 4.1, or with `withOwn` our own question, of one moment; what the document leaves open is as the embedded engine has it. */
export async function answerOf(
	server: Server,
	moment: Moment,
	query: LocalExploreQuery,
	{withOwn = false} = {},
) {
	const channels = await resolvePredicates(server, moment, query.channel_predicates ?? []);
	const {datasets, ...totals} = await summarize(server, query, channels, moment, {withOwn});
	const page = await readPage(server, query, channels, datasets, moment);
	const parents = await parentsOf(server, page, moment);
	const [first] = page;
	return {
		episodes: page.map(row => toLakeEpisode(row, channels, parents)),
		channel_predicate_evidence: first ? evidenceOf(first, channels) : [],
		...totals,
		page_limit: query.limit,
		page_offset: query.offset,
	};
}

/** An episode's own row, and the profile that it is of. */
type FoundRow = EpisodeRow & {
	generation_key: number;
	profile_key: number;
	frames: string;
	ordinal: string | null;
};

/** The rows of a page, in order. */
async function readPage(
	server: Server,
	query: LocalExploreQuery,
	channels: readonly ResolvedPredicate[],
	shares: readonly DatasetShare[],
	moment: Moment,
): Promise<EpisodeRow[]> {
	// In an order of its own a page lies in all datasets.
	const {datasets, skip, take} = query.sort
		? {datasets: shares, skip: query.offset, take: query.limit}
		: stretchOf(shares, query);
	if (datasets.length === 0) return [];
	const inside = datasets.map(({dataset_key}) => ({generation_key: dataset_key}));
	const found = await foundRows(server, query, channels, datasets, {skip, take}, moment);
	if (found.length === 0) return [];
	const profiles = [...new Map(found.map(row => [`${row.generation_key} ${row.profile_key}`, row])).values()];
	const [named, slots, decisions] = await Promise.all([
		server.rows<{
			generation_key: number;
			profile_key: number;
			task: string | null;
			tier: string | null;
			tags: string[];
		}>(
			`SELECT generation_key, profile_key, task, tier, tags FROM profile p
			WHERE ${within('p', inside)} AND (p.generation_key, p.profile_key) IN (${profiles
				.map(row => `(${row.generation_key}, ${row.profile_key})`)
				.join(', ')})`,
		),
		farSlots(server, channels, found),
		moment.reviews === 0
			? []
			: server.rows<{dataset_name: string; revision: string; decided: string}>(
					lastDecisions(
						moment,
						`(dataset_name, revision) IN (${found
							.map(row => `(${text(row.dataset_name)}, ${text(row.revision ?? '')})`)
							.join(', ')})`,
					),
				),
	]);
	const profileOf = new Map(named.map(row => [`${row.generation_key} ${row.profile_key}`, row]));
	const slotsOf = new Map(slots.map(row => [`${row.generation_key} ${row.episode_index}`, row]));
	const decided = new Map(
		decisions.map(row => [JSON.stringify([row.dataset_name, row.revision]), row.decided]),
	);
	const datasetOf = new Map(moment.datasets.map(dataset => [dataset.generation_key, dataset]));
	return found.map(row => {
		const dataset = datasetOf.get(row.generation_key);
		const profile = profileOf.get(`${row.generation_key} ${row.profile_key}`);
		const mark = decided.get(JSON.stringify([row.dataset_name, row.revision]));
		return {
			...row,
			...slotsOf.get(`${row.generation_key} ${row.episode_index}`),
			dataset_id: dataset?.dataset_id ?? '',
			dataset_version_id: dataset?.dataset_version_id ?? '',
			interface_hash: dataset?.interface_hash ?? null,
			task: profile?.task ?? null,
			tier: profile?.tier ?? null,
			tags: profile?.tags ?? [],
			frame_count: BigInt(row.frames),
			member_ordinal: row.ordinal === null ? null : BigInt(row.ordinal),
			revision: row.revision === '' ? null : row.revision,
			review_state: mark === undefined || mark === 'unreviewed' ? row.review_state : mark,
		};
	});
}

async function foundRows(
	server: Server,
	query: LocalExploreQuery,
	channels: readonly ResolvedPredicate[],
	datasets: readonly DatasetShare[],
	{skip, take}: {skip: number; take: number},
	moment: Moment,
): Promise<FoundRow[]> {
	const inside = datasets.map(({dataset_key}) => ({generation_key: dataset_key}));
	const ofProfile = [...sharedProfileConditions(query), ...facetConditions(query).values()];
	const conditions = [
		within('e', inside),
		...episodeConditions(query, channels, moment),
		...profileCondition(ofProfile, inside),
	];
	const direction = query.order_desc ? 'DESC' : 'ASC';
	const order = [`e.episode_index ${direction}`];
	if (datasets.length > 1) {
		const keys = [...datasets].sort((a, b) => (a.dataset_name < b.dataset_name ? -1 : 1));
		const list = keys.map(({dataset_key}) => dataset_key).join(', ');
		order.unshift(`indexOf([${list}], e.generation_key) ${direction}`);
	}
	if (query.sort) order.unshift(`${sortFigure(query.sort.by)} ${query.sort.direction} NULLS LAST`);
	const near = channels.flatMap(({predicate, slots}) =>
		slots.flatMap(({slot}) => (bandOf(slot) === 0 ? [slotColumn(slot, predicate.agg)] : [])),
	);
	const own = [
		'generation_key',
		'profile_key',
		'layout_key',
		'dataset_name',
		'episode_index',
		'duration_s',
		'quality_score',
		'doubt',
		'review_state',
		'parent_dataset',
		'parent_episode_index',
		'revision',
		'details',
	];
	const columns = [...new Set([...own, ...heldMetrics, ...near])].map(column => `e.${column} AS ${column}`);
	return await server.rows<FoundRow>(
		`SELECT ${columns.join(', ')}, toString(e.episode_id) AS episode_id, toString(e.frame_count) AS frames,
			toString(e.member_ordinal) AS ordinal
		FROM episode e WHERE ${conditions.join(' AND ')}
		ORDER BY ${order.join(', ')} LIMIT ${take} OFFSET ${skip}`,
	);
}

/** The slots beyond the first band that the predicates look at, of the episodes of a page. */
async function farSlots(
	server: Server,
	channels: readonly ResolvedPredicate[],
	found: readonly FoundRow[],
): Promise<Array<{generation_key: number; episode_index: number}>> {
	const asked = channels.flatMap(({predicate, slots}) =>
		slots.flatMap(({slot}) => (bandOf(slot) === 0 ? [] : [{slot, agg: predicate.agg}])),
	);
	if (asked.length === 0) return [];
	const columns = [...new Map(asked.map(each => [slotColumn(each.slot, each.agg), each]))].map(
		([name, {slot, agg}]) => `maxIf(s.${columnInBand(slot, agg)}, s.band = ${bandOf(slot)}) AS ${name}`,
	);
	const keys = [...new Set(found.map(({generation_key}) => generation_key))];
	const bands = [...new Set(asked.map(({slot}) => bandOf(slot)))];
	return await server.rows(
		`SELECT s.generation_key AS generation_key, s.episode_index AS episode_index, ${columns.join(', ')} FROM slots s
		WHERE ${amongIntegers('s.generation_key', keys)} AND ${amongIntegers('s.band', bands)}
			AND (s.generation_key, s.episode_index) IN (${found
				.map(row => `(${row.generation_key}, ${row.episode_index})`)
				.join(', ')})
		GROUP BY s.generation_key, s.episode_index`,
	);
}

/** The parents of a page's children, looked up as they are now: so they may be published later, change or go. */
async function parentsOf(server: Server, page: readonly EpisodeRow[], moment: Moment): Promise<ParentIds> {
	const names = new Set(page.flatMap(row => row.parent_dataset ?? []));
	const indices = [...new Set(page.flatMap(row => row.parent_episode_index ?? []))].filter(
		index => index >= 0,
	);
	const datasets = moment.datasets.filter(({dataset_name}) => names.has(dataset_name));
	const place = (dataset: string | null, index: number | null) => JSON.stringify([dataset, index]);
	const parents =
		datasets.length === 0 || indices.length === 0
			? []
			: await server.rows<{dataset_name: string; episode_index: number; id: string}>(
					`SELECT dataset_name, episode_index, toString(episode_id) AS id FROM episode e
					WHERE ${within('e', datasets)} AND ${amongIntegers('e.episode_index', indices)}`,
				);
	const ids = new Map(parents.map(parent => [place(parent.dataset_name, parent.episode_index), parent.id]));
	return {idOf: row => ids.get(place(row.parent_dataset, row.parent_episode_index)) ?? null};
}
