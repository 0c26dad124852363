import type {Dictionary} from './dictionary.ts';
import type {ExploreRequest, Op} from './explore-request.ts';
import {datasetId, type Lake} from './lake.ts';

type Test = (row: number) => boolean;

const facetNames = ['task', 'tier', 'interface', 'marker'] as const;

export type FacetName = (typeof facetNames)[number];

/** Which facets' own filters each episode fails; episodes that fail anything else are left out. */
export type Filter = {
	/** Called once for each episode that passes all but at most one facet's filter. */
	each(visit: (row: number, failed: FacetName | undefined) => void): void;
};

const ops: Record<Op, (left: number, right: number) => boolean> = {
	gt: (left, right) => left > right,
	lt: (left, right) => left < right,
	gte: (left, right) => left >= right,
	lte: (left, right) => left <= right,
};

/**
 * A request's filters over a lake. Where the document leaves it open: several tags match any of them, the
 * search looks into task and dataset name without regard to case, a null value matches no predicate.
 */
export function compileFilter(lake: Lake, request: ExploreRequest): Filter {
	const facetTests: ReadonlyArray<readonly [FacetName, Test]> = [
		['task', among(lake.tasks, lake.columns.task, request.tasks)],
		['tier', amongTiers(lake, request.tiers)],
		['interface', among(lake.interfaces, lake.columns.interface, request.interface_hashes)],
		['marker', among(lake.markers, lake.columns.marker, request.marker_signatures)],
	];
	const tests = otherTests(lake, request);

	return {
		each(visit) {
			for (let row = 0; row < lake.size; row++) {
				if (!tests.every(test => test(row))) continue;
				let failed: FacetName | undefined;
				let failures = 0;
				for (const [name, test] of facetTests) {
					if (test(row)) continue;
					failed = name;
					failures++;
				}
				if (failures <= 1) visit(row, failed);
			}
		},
	};
}

function otherTests(lake: Lake, request: ExploreRequest): Test[] {
	const {columns} = lake;
	const tests: Test[] = [];
	const {tags, episode_index, parent_episode_index} = request;
	if (request.dataset_ids.length > 0) {
		const wanted = new Set(request.dataset_ids.map(id => id.toLowerCase()));
		tests.push(byCode(columns.dataset, lake.datasets, (_name, code) => wanted.has(datasetId(code))));
	}
	if (request.review_state !== '')
		tests.push(byCode(columns.review, lake.reviews, value => value === request.review_state));
	if (request.lineage === 'originals') tests.push(row => columns.parent[row] === -1);
	if (request.lineage === 'children') tests.push(row => columns.parent[row] !== -1);
	if (episode_index !== null) tests.push(row => lake.index[row] === episode_index);
	if (parent_episode_index !== null)
		tests.push(row => parent_episode_index >= 0 && columns.parent[row] === parent_episode_index);
	if (tags.length > 0) tests.push(row => lake.tags[row]?.some(tag => tags.includes(tag)) ?? false);
	if (request.search !== '') {
		const sought = request.search.toLowerCase();
		const holds = (value: string) => value.toLowerCase().includes(sought);
		const inTask = byCode(columns.task, lake.tasks, holds);
		const inDataset = byCode(columns.dataset, lake.datasets, holds);
		tests.push(row => inTask(row) || inDataset(row));
	}
	for (const {field, op, value} of request.numeric_predicates)
		tests.push(compares(lake.numbers[field], op, value));
	for (const {stream, channel, agg, op, value} of request.channel_predicates)
		tests.push(compares(lake.channelColumn(stream, channel, agg), op, value));
	return tests;
}

/** NaN, the lake's null, compares false with everything. */
function compares(column: Float64Array, op: Op, value: number): Test {
	const holds = ops[op];
	return row => holds(column[row] ?? Number.NaN, value);
}

function byCode(
	column: Int32Array,
	dictionary: Dictionary,
	holds: (value: string, code: number) => boolean,
): Test {
	const passing = Uint8Array.from(dictionary.values, (value, code) => (holds(value, code) ? 1 : 0));
	return row => passing[column[row] ?? -1] === 1;
}

function among(dictionary: Dictionary, column: Int32Array, wanted: readonly string[]): Test {
	if (wanted.length === 0) return () => true;
	const values = new Set(wanted);
	return byCode(column, dictionary, value => values.has(value));
}

function amongTiers(lake: Lake, wanted: readonly string[]): Test {
	const named = among(lake.tiers, lake.columns.tier, wanted);
	return wanted.includes('') ? row => lake.columns.tier[row] === -1 || named(row) : named;
}
