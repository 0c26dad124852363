import type {LakeEpisode} from '../../contract/episode.ts';
import {type Column, columnOf, knownColumns} from '../episodes/columns.ts';

/** A line of the chooser. */
export type ColumnChoice = {readonly column: Column; readonly isChosen: boolean};

/** Every column there is: the chosen ones in their order, then the others, then metrics found in the data. */
export function columnChoices(chosen: readonly string[], found: readonly string[]): readonly ColumnChoice[] {
	const others = [...knownColumns.map(({id}) => id), ...found].filter(id => !chosen.includes(id));
	return [
		...chosen.map(id => ({column: columnOf(id), isChosen: true})),
		...[...new Set(others)].map(id => ({column: columnOf(id), isChosen: false})),
	];
}

/** Shows a column, behind those that show, or hides it; the last one stays. */
export function toggleColumn(chosen: readonly string[], id: string): readonly string[] {
	if (!chosen.includes(id)) return [...chosen, id];
	return chosen.length === 1 ? chosen : chosen.filter(other => other !== id);
}

/** Moves a shown column one place. */
export function moveColumn(chosen: readonly string[], id: string, by: 1 | -1): readonly string[] {
	const from = chosen.indexOf(id);
	const to = from + by;
	if (from < 0 || to < 0 || to >= chosen.length) return chosen;
	const next = chosen.filter(other => other !== id);
	return [...next.slice(0, to), id, ...next.slice(to)];
}

/** Names of an episode's metrics that a column could show. */
export function freeMetrics(episode: LakeEpisode | undefined): readonly string[] {
	return Object.entries(episode?.metrics ?? {})
		.filter(([name, value]) => typeof value !== 'object' && name.length <= 64)
		.map(([name]) => name)
		.sort();
}
