import type {Client} from '../../client/client.ts';
import {datasetListLimits} from '../../contract/limits.ts';
import type {DatasetItem, DatasetListQuery} from '../../contract/listing.ts';
import {datasetSorts, datasetTypes, directions} from '../../contract/vocabulary.ts';
import {findByPaging, pageOf} from '../queries/open-page.ts';
import type {Listing, ListQuery} from './listing-feed.ts';

/** The parameters of the dataset listing besides a search (4.6), each with its values. */
export const datasetTerms = {
	dataset_type: datasetTypes,
	direction: directions,
	sort: datasetSorts,
} as const;

type DatasetClient = Pick<Client, 'listDatasets' | 'explore'>;

function oneOf<Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined {
	return values.find(value => value === text);
}

/** The listing's own parameters for what is asked. */
function datasetQuery({search, terms}: ListQuery): DatasetListQuery {
	const type = oneOf(datasetTypes, terms.dataset_type);
	const direction = oneOf(directions, terms.direction);
	const sort = oneOf(datasetSorts, terms.sort);
	return {
		...(search === '' ? {} : {search: search.slice(0, datasetListLimits.search)}),
		...(type === undefined ? {} : {dataset_type: type}),
		...(direction === undefined ? {} : {direction}),
		...(terms.project_id === undefined ? {} : {project_id: terms.project_id}),
		...(terms.job_id === undefined ? {} : {job_id: terms.job_id}),
		...(sort === undefined ? {} : {sort}),
	};
}

/** A dataset by its id: by the name that its episodes bear where it has some, else by going through the listing. */
async function findDataset(
	client: DatasetClient,
	id: string,
	signal: AbortSignal,
): Promise<DatasetItem | undefined> {
	const isIt = (item: DatasetItem) => item.artifact_id === id;
	const {data} = await client.explore({dataset_ids: [id], limit: 1}, {signal});
	const [episode] = data.episodes;
	const limit = datasetListLimits.page.max;
	if (episode !== undefined) {
		const found = await client.listDatasets({search: episode.dataset_name, limit}, {signal});
		const item = found.data.items.find(isIt);
		if (item !== undefined) return item;
	}
	return findByPaging(
		async cursor =>
			pageOf(await client.listDatasets({limit, ...(cursor === undefined ? {} : {cursor})}, {signal})),
		isIt,
	);
}

/** The listing of datasets (4.6). */
export function datasetListing(client: DatasetClient): Listing<DatasetItem> {
	return {
		list: 'datasets',
		nameOf: ({artifact_id, path}) => ({key: artifact_id, label: path}),
		limits: {page: 100, leap: datasetListLimits.page.max},
		searches: true,
		read: async (asked, {cursor, limit}, signal) =>
			pageOf(
				await client.listDatasets(
					{...datasetQuery(asked), limit, ...(cursor === undefined ? {} : {cursor})},
					{signal},
				),
			),
		find: (id, signal) => findDataset(client, id, signal),
	};
}
