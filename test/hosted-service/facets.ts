import type {Dictionary} from './dictionary.ts';
import type {FacetName} from './filter.ts';
import type {Lake} from './lake.ts';

const longestList = 512;

type FacetCount = {value: string; count: number};

/** Counts the values of the four facets, each without its own filter (section 2.3). */
export class FacetCounter {
	readonly #counts: Record<FacetName, Uint32Array>;
	readonly #lake: Lake;

	constructor(lake: Lake) {
		const counts = (dictionary: Dictionary) => new Uint32Array(dictionary.size + 1);
		this.#lake = lake;
		this.#counts = {
			task: counts(lake.tasks),
			tier: counts(lake.tiers),
			interface: counts(lake.interfaces),
			marker: counts(lake.markers),
		};
	}

	/** Takes an episode into all facets, or into the only one whose own filter it fails. */
	count(row: number, only: FacetName | undefined): void {
		if (only) this.#add(only, row);
		else {
			this.#add('task', row);
			this.#add('tier', row);
			this.#add('interface', row);
			this.#add('marker', row);
		}
	}

	/** The first place of each count is for null. */
	#add(facet: FacetName, row: number): void {
		const counts = this.#counts[facet];
		const place = (this.#lake.columns[facet][row] ?? -1) + 1;
		counts[place] = (counts[place] ?? 0) + 1;
	}

	/** The facets of the answer. An empty tier is the value '', as in the request; other nulls are no value. */
	result(): Record<string, unknown> {
		const {tasks, tiers, interfaces, markers} = this.#lake;
		const counts = this.#counts;
		const byTask = listed(tasks, counts.task);
		const byTier = ranked([{value: '', count: counts.tier[0] ?? 0}, ...listed(tiers, counts.tier)]);
		const byInterface = listed(interfaces, counts.interface);
		const byMarker = listed(markers, counts.marker);
		return {
			by_task: byTask.slice(0, longestList),
			by_tier: byTier.slice(0, longestList),
			by_interface_hash: byInterface.slice(0, longestList),
			by_marker_signature: byMarker.slice(0, longestList),
			by_task_total_values: byTask.length,
			by_tier_total_values: byTier.length,
			by_interface_hash_total_values: byInterface.length,
			by_marker_signature_total_values: byMarker.length,
			marker_signature_unknown: counts.marker[0] ?? 0,
		};
	}
}

/** The values with a count, the most frequent first; a value beyond 2048 characters cannot be listed. */
function listed(dictionary: Dictionary, counts: Uint32Array): FacetCount[] {
	return ranked(dictionary.values.map((value, code) => ({value, count: counts[code + 1] ?? 0})));
}

function ranked(counts: FacetCount[]): FacetCount[] {
	return counts
		.filter(({value, count}) => count > 0 && [...value].length <= 2048)
		.sort((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1));
}
