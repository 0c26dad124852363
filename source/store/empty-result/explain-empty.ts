import type {LakeFacets} from '../../contract/facets.ts';
import type {ChannelList, Figure} from '../../contract/local-distribution.ts';
import type {ExploreQuestion} from '../../contract/local-explore.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Filter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import {type DatasetIdByName, toExploreRequest} from '../../query/request.ts';
import {type LeftOut, withoutEachTerm} from '../../query/without-term.ts';
import {type Missing, missingChannels, missingValues} from './missing-values.ts';

/** A term, what would be there without it, and between which values its figure lies then. */
export type TermLeftOut = {
	readonly text: string;
	readonly total: Count;
	readonly range: {readonly min: number; readonly max: number} | undefined;
};

/** Why a filter lets nothing through, as far as is known. */
export type Explained = {
	/** The filter, as its line says it. */
	readonly line: string;
	readonly missing: readonly Missing[];
	readonly terms: readonly TermLeftOut[];
	/** Terms that were not tried: there are too many. */
	readonly untried: number;
	readonly isDone: boolean;
};

/** What has to be asked of a service. */
export type Questions = {
	readonly total: (filter: ExploreQuestion) => Promise<Count>;
	readonly range: (
		of: Figure,
		filter: ExploreQuestion,
	) => Promise<{readonly min: number | null; readonly max: number | null}>;
	/** Of everything: under the filter they would miss what another of its terms keeps out. */
	readonly wholeFacets: () => Promise<LakeFacets>;
	readonly channels: () => Promise<ChannelList>;
	readonly idOf: DatasetIdByName;
	readonly abilities: readonly string[];
};

/** A request a term, one after the other; what a longer filter wants explained is not worth more. */
const mostTerms = 8;

/** Finds out why a filter lets nothing through: gives what is known after each answer, one request at a time. */
export async function* explainEmpty(filter: Filter, questions: Questions): AsyncGenerator<Explained> {
	const {wholeFacets, channels, abilities} = questions;
	const all = withoutEachTerm(filter);
	const tried = all.slice(0, mostTerms);
	const line = print({...filter, descending: false});
	let known: Explained = {line, missing: [], terms: [], untried: all.length - tried.length, isDone: false};
	yield known;
	if (filter.tasks.length + filter.interfaces.length + filter.markers.length > 0) {
		known = {...known, missing: missingValues(filter, await wholeFacets())};
		yield known;
	}
	if (filter.channels.length > 0 && abilities.includes('channels')) {
		known = {...known, missing: [...known.missing, ...missingChannels(filter, await channels())]};
		yield known;
	}
	for (const left of tried) {
		const term = await withoutTerm(left, questions);
		if (term === undefined) continue;
		known = {...known, terms: [...known.terms, term]};
		yield known;
	}
	yield {...known, isDone: true};
}

async function withoutTerm(
	{text, rest, of}: LeftOut,
	{total: ask, range, idOf, abilities}: Questions,
): Promise<TermLeftOut | undefined> {
	const question = toExploreRequest(rest, idOf);
	if (!question.ok) return undefined;
	const total = await ask(question.request);
	if (Number(total) === 0 || of === undefined || !abilities.includes('histogram')) {
		return {text, total, range: undefined};
	}
	const {min, max} = await range(of, question.request);
	return {text, total, range: min === null || max === null ? undefined : {min, max}};
}
