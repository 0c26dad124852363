import type {LakeEpisode} from '../../contract/episode.ts';
import type {LakeFacets} from '../../contract/explore.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Totals} from '../queries/explore-result.ts';
import {type Picked, pickedInOrder, type Selection} from './selection.ts';

/** How many of a selection have one value. */
type Share = {readonly value: string; readonly count: bigint};

/** The shares of a selection, most first. */
export type Shares = {
	readonly values: readonly Share[];
	/** How many have no value, or one that the service does not list. */
	readonly others: bigint;
	/** How many values there are at the least; more where the service does not list them all. */
	readonly known: bigint;
	readonly isWhole: boolean;
};

/** Counts of a selection. */
export type SelectionSummary = {
	readonly episodes: bigint;
	readonly frames: bigint;
	readonly seconds: number;
	readonly tasks: Shares;
	readonly embodiments: Shares;
};

/** Counts of episodes that were picked by hand. */
export function summaryOfPicked(picked: Picked): SelectionSummary {
	const episodes = pickedInOrder(picked);
	return {
		episodes: BigInt(picked.size),
		frames: framesOf(episodes),
		seconds: secondsOf(episodes),
		tasks: sharesOf(episodes, ({task}) => task),
		embodiments: sharesOf(episodes, ({interface_hash}) => interface_hash),
	};
}

/** Counts of all that match, by the service's own totals and facets, less the exceptions. */
export function summaryOfMatching(
	{filter, except}: Extract<Selection, {by: 'query'}>,
	{totals, facets}: {totals: Totals; facets: LakeFacets},
): SelectionSummary {
	const left = [...except.values()];
	const episodes = BigInt(totals.episodes) - BigInt(left.length);
	const less = (
		facet: readonly {value: string; count: Count}[],
		{only, out = []}: {only: readonly string[]; out?: readonly string[] | undefined},
		whole: Count,
	) => {
		const left = facet.filter(({value}) => !out.includes(value));
		const known = BigInt(whole) - BigInt(facet.length - left.length);
		return facetShares(left, {only, whole: known, episodes: BigInt(totals.episodes)});
	};
	const tasks = less(
		facets.by_task,
		{only: filter.tasks, out: filter.not?.tasks},
		facets.by_task_total_values,
	);
	const {by_interface_hash, by_interface_hash_total_values} = facets;
	const embodiments = less(
		by_interface_hash,
		{only: filter.interfaces, out: filter.not?.interfaces},
		by_interface_hash_total_values,
	);
	return {
		episodes,
		frames: BigInt(totals.frames) - framesOf(left),
		seconds: totals.seconds - secondsOf(left),
		tasks: without(
			tasks,
			sharesOf(left, ({task}) => task),
		),
		embodiments: without(
			embodiments,
			sharesOf(left, ({interface_hash}) => interface_hash),
		),
	};
}

/** A facet is counted without its own filter: what that leaves out is taken out of it here. */
function facetShares(
	facet: readonly {value: string; count: Count}[],
	{only, whole, episodes}: {only: readonly string[]; whole: bigint; episodes: bigint},
): Shares {
	const wanted = only.length === 0 ? facet : facet.filter(({value}) => only.includes(value));
	const values = wanted.map(({value, count}) => ({value, count: BigInt(count)}));
	const counted = values.reduce((sum, {count}) => sum + count, 0n);
	const others = episodes > counted ? episodes - counted : 0n;
	const isWhole = only.length > 0 ? others === 0n : whole <= BigInt(facet.length);
	return {values, others, known: only.length > 0 ? BigInt(values.length) : whole, isWhole};
}

function without({values, others, known, isWhole}: Shares, left: Shares): Shares {
	const less = new Map(left.values.map(({value, count}) => [value, count]));
	const kept = values.flatMap(({value, count}) => {
		const rest = count - (less.get(value) ?? 0n);
		less.delete(value);
		return rest > 0n ? [{value, count: rest}] : [];
	});
	const unlisted = [...less.values()].reduce((sum, count) => sum + count, left.others);
	return {
		values: kept.sort((a, b) => Number(b.count - a.count)),
		others: others > unlisted ? others - unlisted : 0n,
		known: known - BigInt(values.length - kept.length),
		isWhole,
	};
}

function sharesOf(
	episodes: readonly LakeEpisode[],
	read: (episode: LakeEpisode) => string | null | undefined,
): Shares {
	const counts = new Map<string, bigint>();
	let others = 0n;
	for (const episode of episodes) {
		const value = read(episode);
		if (value == null) others++;
		else counts.set(value, (counts.get(value) ?? 0n) + 1n);
	}
	const values = [...counts].map(([value, count]) => ({value, count}));
	return {
		values: values.sort((a, b) => Number(b.count - a.count)),
		others,
		known: BigInt(values.length),
		isWhole: true,
	};
}

function framesOf(episodes: readonly LakeEpisode[]): bigint {
	return episodes.reduce((sum, {frame_count}) => sum + BigInt(frame_count), 0n);
}

function secondsOf(episodes: readonly LakeEpisode[]): number {
	return episodes.reduce((sum, {duration_seconds}) => sum + duration_seconds, 0);
}
