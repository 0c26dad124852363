import type {Signs} from '../../components/signs.ts';
import type {LakeFacets} from '../../contract/explore.ts';
import {facetOf} from '../../contract/facets.ts';
import {countsOf, suspectTag} from '../../contract/local-explore.ts';
import type {Count} from '../../contract/scalars.ts';
import type {Filter} from '../../query/filter.ts';
import type {ResultOrder} from '../../store/queries/explore-result.ts';
import {grouped} from '../../terminal/quantity.ts';

type Ordered = {
	readonly order: ResultOrder | undefined;
	readonly filter: Pick<Filter, 'descending'>;
	readonly facets: LakeFacets | undefined;
	readonly rowCount: number;
	readonly signs: Signs;
	/** The service is known to order by dataset; the interface says nothing of an order. */
	readonly isByDataset: boolean;
};

/** How many of a result are suspect, where the service counts tags. */
function suspectsIn(facets: LakeFacets | undefined): Count | undefined {
	const tags = facets && countsOf(facetOf('tag'), facets);
	return tags && (tags.values.find(({value}) => value === suspectTag)?.count ?? 0);
}

/** In which order the episodes are, in words: the most that can be said of it first, then as short as it can be said. */
export function sortWords({order, filter, facets, rowCount, signs, isByDataset}: Ordered): readonly string[] {
	if (order === undefined && isByDataset) return [`by dataset ${filter.descending ? signs.down : signs.up}`];
	if (order === undefined) return [`service order${filter.descending ? ', reversed' : ''}`];
	const {by, direction, isHere = false, instead = false} = order;
	const arrow = direction === 'desc' ? signs.down : signs.up;
	const here = isHere ? `, of the ${grouped(rowCount)} read` : '';
	if (by !== 'doubt' && !instead) return [`by ${by} ${arrow}${here}`];
	const end = (direction === 'desc') !== instead ? 'worst' : 'best';
	if (instead) return [`${end} ${by} first${here}`, `${end} first${here}`];
	const suspects = suspectsIn(facets);
	const count = suspects === undefined ? '' : `${grouped(suspects)} suspect ${signs.separator} `;
	const words = `${count}${end} first`;
	return [`${words}, compared with siblings${here}`, `${words}${here}`, `${end} first`];
}
