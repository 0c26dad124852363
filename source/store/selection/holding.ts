import type {Client} from '../../client/client.ts';
import {episodePages} from '../../client/episode-pages.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {facets} from '../../contract/facets.ts';
import {exploreLimits} from '../../contract/limits.ts';
import {suspectTag} from '../../contract/local-explore.ts';
import type {Question} from '../queries/explore-result.ts';
import {asksForSame, type Picked, type Selection} from './selection.ts';

/** The parts of a selection: in the current filter, hidden by it, suspects. */
export type Holding = {
	readonly episodes: number;
	/** Those that the filter that shows hides; undefined where that would take too many questions. */
	readonly hidden: Hidden | undefined;
	readonly suspects: number;
	/** Those that a person has rejected. */
	readonly rejected: number;
};

export type Hidden = {
	readonly count: number;
	/** How many of each dataset, the most first; empty where they were not picked one by one. */
	readonly datasets: readonly (readonly [name: string, count: number])[];
};

export const nothingHidden: Hidden = {count: 0, datasets: []};

type Shown = {
	/** The question that shows. */
	readonly question: Question;
	/** Episodes of its answer that are read. */
	readonly held: readonly LakeEpisode[];
};

type ExploreClient = Pick<Client, 'explore'>;

/** Counts what a selection holds. */
export async function holdingOf(
	client: ExploreClient,
	selection: Selection,
	shown: Shown,
	signal: AbortSignal,
): Promise<Holding> {
	const isSuspect = ({tags}: LakeEpisode) => tags?.includes(suspectTag) === true;
	const isRejected = ({review_state}: LakeEpisode) => review_state === 'rejected';
	const hidden = await hiddenIn(client, selection, shown, signal);
	if (selection.by === 'hand') {
		const episodes = [...selection.picked.values()];
		return {
			episodes: episodes.length,
			hidden,
			suspects: episodes.filter(isSuspect).length,
			rejected: episodes.filter(isRejected).length,
		};
	}
	const {question, except} = selection;
	const episodes = (await totalOf(client, question, signal)) - except.size;
	const share = async (narrower: Question, isOne: (episode: LakeEpisode) => boolean) => {
		const narrowed = conjunction(question, narrower);
		const total = typeof narrowed === 'object' ? await totalOf(client, narrowed, signal) : 0;
		return total - [...except.values()].filter(isOne).length;
	};
	return {
		episodes,
		hidden,
		suspects: await share({tags: [suspectTag]}, isSuspect),
		rejected: await share({review_state: 'rejected'}, isRejected),
	};
}

/** The part of a selection that the current filter hides. */
export async function hiddenIn(
	client: ExploreClient,
	selection: Selection,
	{question: shown, held}: Shown,
	signal: AbortSignal,
): Promise<Hidden | undefined> {
	if (selection.by === 'hand') {
		const known = new Set(held.map(({episode_id}) => episode_id));
		const unknown = new Map([...selection.picked].filter(([id]) => !known.has(id)));
		const found = await foundOf(client, unknown, shown, signal);
		if (found === undefined) return undefined;
		const hidden = [...unknown].filter(([id]) => !found.has(id)).map(([, episode]) => episode);
		return {count: hidden.length, datasets: sizesOf(hidden)};
	}
	const {question, except} = selection;
	if (asksForSame(question, shown) || asksForSame(shown, {})) return nothingHidden;
	const all = (await totalOf(client, question, signal)) - except.size;
	const both = conjunction(question, shown);
	if (both === undefined) return undefined;
	if (both === 'nothing') return {count: all, datasets: []};
	const exceptions = await foundOf(client, except, shown, signal);
	if (exceptions === undefined) return undefined;
	const visible = (await totalOf(client, both, signal)) - exceptions.size;
	return {count: Math.max(0, all - visible), datasets: []};
}

async function totalOf(client: ExploreClient, question: Question, signal: AbortSignal): Promise<number> {
	return Number((await client.explore({...question, limit: 1, offset: 0}, {signal})).data.total);
}

/** Rows that are read to find episodes among them. */
const mostRead = 10_000;

/** So few are asked for one by one where the answer has more rows than that. */
const mostOneByOne = 40;

/** Which of some episodes the answer to a question holds; undefined where finding out takes too long. */
async function foundOf(
	client: ExploreClient,
	wanted: Picked,
	question: Question,
	signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
	const ids = [...wanted.keys()];
	if (ids.length === 0 || asksForSame(question, {})) return new Set(ids);
	const datasets = [...new Set([...wanted.values()].map(({dataset_id}) => dataset_id))];
	if (datasets.length > exploreLimits.datasetIds) return undefined;
	const narrowed = conjunction(question, {dataset_ids: datasets});
	if (typeof narrowed !== 'object') return new Set();
	const found = new Set<string>();
	const learn = (episodes: readonly LakeEpisode[]) => {
		for (const {episode_id} of episodes) if (wanted.has(episode_id)) found.add(episode_id);
	};
	for await (const {data} of episodePages(client, narrowed, {offset: 0}, {signal})) {
		learn(data.episodes);
		if (found.size === ids.length) return found;
		if (Number(data.total) <= mostRead) continue;
		if (ids.length > mostOneByOne) return undefined;
		for (const [id, {dataset_id, episode_index}] of wanted) {
			const one = found.has(id)
				? 'nothing'
				: conjunction(narrowed, {dataset_ids: [dataset_id], episode_index});
			if (typeof one === 'object') learn((await client.explore({...one, limit: 1}, {signal})).data.episodes);
		}
		return found;
	}
	return found;
}

function sizesOf(episodes: readonly LakeEpisode[]): Hidden['datasets'] {
	const sizes = new Map<string, number>();
	for (const {dataset_name} of episodes) sizes.set(dataset_name, (sizes.get(dataset_name) ?? 0) + 1);
	return [...sizes].sort(([, a], [, b]) => b - a);
}

/** Lists of which one value is enough. */
const alternatives: ReadonlySet<string> = new Set(
	facets.filter(({meansAll}) => !meansAll).map(({request}) => request),
);

const isUnasked = (value: unknown) =>
	value == null || value === '' || (Array.isArray(value) && value.length === 0);

/** The question for what two have in common; undefined where the interface cannot ask for that. */
export function conjunction(a: Question, b: Question): Question | 'nothing' | undefined {
	const both: Record<string, unknown> = {};
	const [one, other] = [a, b].map(question => question as Record<string, unknown>);
	for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
		const [left, right] = [one?.[key], other?.[key]];
		if (key === 'order_desc') continue;
		if (isUnasked(left) || isUnasked(right)) {
			both[key] = isUnasked(left) ? right : left;
		} else if (Array.isArray(left) && Array.isArray(right)) {
			const merged = alternatives.has(key) ? common(left, right) : union(left, right);
			if (merged.length === 0) return 'nothing';
			both[key] = merged;
		} else if (key === 'not') {
			const lists = [left, right].map(not => not as Record<string, readonly unknown[] | undefined>);
			const names = new Set(lists.flatMap(not => Object.keys(not)));
			both[key] = Object.fromEntries(
				[...names].map(name => [name, union(lists[0]?.[name] ?? [], lists[1]?.[name] ?? [])]),
			);
		} else if (typeof left === 'string' && typeof right === 'string' && key === 'search') {
			const [long, short] = left.length < right.length ? [right, left] : [left, right];
			if (!long.toLowerCase().includes(short.toLowerCase())) return undefined;
			both[key] = long;
		} else if (left === right) both[key] = left;
		else return 'nothing';
	}
	const {numericPredicates, channelPredicates, facetValues} = exploreLimits;
	const question = both as Question;
	const isTooLong =
		(question.numeric_predicates?.length ?? 0) > numericPredicates ||
		(question.channel_predicates?.length ?? 0) > channelPredicates ||
		(question.tags?.length ?? 0) > facetValues;
	return isTooLong ? undefined : question;
}

const common = (a: readonly unknown[], b: readonly unknown[]) => a.filter(value => b.includes(value));

function union(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
	return [...new Map([...a, ...b].map(value => [JSON.stringify(value), value])).values()];
}

const mostNamed = 3;

/** A sentence about the part of a selection that the current filter hides. */
export function hiddenSentence(hidden: Hidden | undefined): string {
	if (hidden === undefined) return 'The current filter may hide some of them; how many is not known.';
	const {count, datasets} = hidden;
	const named = datasets.slice(0, mostNamed).map(([name, size]) => `${name} ${size.toLocaleString('en')}`);
	const further = datasets.length > mostNamed ? [`${datasets.length - mostNamed} more datasets`] : [];
	const which = named.length === 0 ? '' : `: ${[...named, ...further].join(', ')}`;
	return `${count.toLocaleString('en')} of them hidden by the current filter${which}.`;
}
