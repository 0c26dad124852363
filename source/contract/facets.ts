import {exploreLimits} from './limits.ts';
import {tiers} from './vocabulary.ts';

/**
 * A facet: what the values of one property of an episode are counted and filtered by. Everything that there is of one
 * follows from its entry here: the key and the lists of the filter language, the fields of request and response, the
 * statement of the lake, the lines of the facets pane and of the summary, completion.
 */
type Description = {
	/** Its name in the explorer. */
	readonly id: string;
	readonly title: string;
	/** Its key in the filter language. */
	readonly key: string;
	/** A noun for one of its values: by itself, and in messages of the filter language. */
	readonly noun: string;
	readonly what: string;
	/** The list of a filter that holds its values. */
	readonly list: string;
	/** The field of the explore request. One that the interface does not have is only in `/local/v1`. */
	readonly request: string;
	/**
	 * The field of the response's facets, the number of values being `…_total_values`. One that the interface does not have
	 * is only in `/local/v1`; without it nothing is counted.
	 */
	readonly response?: string;
	/** The field of the response that counts the episodes without a value. */
	readonly unknown?: string;
	/** The response field came with a later version than `/local/v1/explore` did. */
	readonly isLater?: true;
	/** The table of the lake, and the column, that hold its values. */
	readonly column: readonly ['profile' | 'dataset', string];
	/** The column that requests name values by, in lower case, where it is another. */
	readonly requestColumn?: string;
	/** Several values mean all of them, each in a term of its own; without it any of them. */
	readonly meansAll?: true;
	/** The only values that a request may name. */
	readonly values?: readonly string[];
	/** An episode without a value counts as one with the empty value, which the filter language writes so. */
	readonly none?: string;
	/** How many values a request may name. */
	readonly most: number;
	/** How the empty value is shown. */
	readonly empty: string;
	/** Where values are shortened: names of one family differ at their end, tasks at their beginning. */
	readonly cut: 'end' | 'middle';
	/** Its place in the facets pane. */
	readonly place: number;
	/** It begins folded. */
	readonly isFolded?: true;
};

/** In the order in which the filter language prints them. */
const table = [
	{
		id: 'tier',
		title: 'Tier',
		key: 'tier',
		noun: 'tier',
		what: 'a tier',
		list: 'tiers',
		request: 'tiers',
		response: 'by_tier',
		column: ['profile', 'tier'],
		values: tiers,
		none: 'none',
		most: exploreLimits.facetValues,
		empty: '(no tier)',
		cut: 'end',
		place: 2,
	},
	{
		id: 'task',
		title: 'Task',
		key: 'task',
		noun: 'task',
		what: 'a task',
		list: 'tasks',
		request: 'tasks',
		response: 'by_task',
		column: ['profile', 'task'],
		most: exploreLimits.facetValues,
		empty: '(no task)',
		cut: 'end',
		place: 1,
	},
	{
		id: 'interface',
		title: 'Layout',
		key: 'interface',
		noun: 'embodiment',
		what: 'an embodiment',
		list: 'interfaces',
		request: 'interface_hashes',
		response: 'by_interface_hash',
		column: ['dataset', 'interface_hash'],
		most: exploreLimits.facetValues,
		empty: '(none)',
		cut: 'middle',
		place: 3,
	},
	{
		id: 'robot',
		title: 'Robot',
		key: 'robot',
		noun: 'robot',
		what: 'a robot type',
		list: 'robots',
		request: 'robot_types',
		response: 'by_robot_type',
		isLater: true,
		column: ['dataset', 'robot_type'],
		most: exploreLimits.facetValues,
		empty: '(none)',
		cut: 'middle',
		place: 6,
		isFolded: true,
	},
	{
		id: 'marker',
		title: 'Markers',
		key: 'marker',
		noun: 'marker signature',
		what: 'a marker signature',
		list: 'markers',
		request: 'marker_signatures',
		response: 'by_marker_signature',
		unknown: 'marker_signature_unknown',
		column: ['profile', 'marker_signature'],
		most: exploreLimits.facetValues,
		empty: '(none)',
		cut: 'end',
		place: 4,
	},
	{
		id: 'dataset',
		title: 'Dataset',
		key: 'dataset',
		noun: 'dataset',
		what: "a dataset's name or id",
		list: 'datasets',
		request: 'dataset_ids',
		response: 'by_dataset',
		isLater: true,
		column: ['dataset', 'dataset_name'],
		requestColumn: 'dataset_id',
		most: exploreLimits.datasetIds,
		empty: '(none)',
		cut: 'middle',
		place: 7,
		isFolded: true,
	},
	{
		id: 'tag',
		title: 'Tags',
		key: 'tag',
		noun: 'tag',
		what: 'a tag',
		list: 'tags',
		request: 'tags',
		response: 'by_tag',
		column: ['profile', 'tags'],
		meansAll: true,
		most: exploreLimits.facetValues,
		empty: '(none)',
		cut: 'end',
		place: 5,
	},
] as const satisfies readonly Description[];

/** An entry with its own types, for types that derive from it. */
export type FacetEntry = (typeof table)[number];
export type FacetId = FacetEntry['id'];

export type Facet = Description & {
	readonly id: FacetId;
	readonly key: FacetEntry['key'];
	readonly list: FacetEntry['list'];
	readonly request: FacetEntry['request'];
};

export const facets: readonly Facet[] = table;

const byId = new Map(facets.map(facet => [facet.id, facet]));

export function facetOf(id: FacetId): Facet {
	const facet = byId.get(id);
	if (facet === undefined) throw new RangeError(`There is no facet ${id}.`);
	return facet;
}

/** The field of a response that says how many values a facet has. */
export const totalField = (response: string) => `${response}_total_values`;
