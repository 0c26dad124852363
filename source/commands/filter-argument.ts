import type {Client} from '../client/client.ts';
import type {CallOptions} from '../client/options.ts';
import {resolveDataset} from '../client/resolve-dataset.ts';
import {datasetListLimits} from '../contract/limits.ts';
import type {ExploreQuestion} from '../contract/local-explore.ts';
import {type DatasetIdByName, type Filter, isDatasetId, toExploreRequest} from '../query/filter.ts';
import {parse} from '../query/parse.ts';
import {unknownDatasetProblems} from '../query/problem-places.ts';
import {pointed, UsageError} from './print/failure.ts';

/** A filter as it stood on the command line: what is wrong with it is pointed at there. */
export type TypedFilter = {readonly filter: Filter; readonly line: string};

/**
 * The filter that the words of a command line say.
 *
 * @throws {UsageError} with the line, its problems and marks below them.
 */
export function readFilter(words: readonly string[]): TypedFilter {
	const line = words.join(' ');
	const result = parse(line);
	if (result.ok) return {filter: result.filter, line};
	throw new UsageError(`The filter cannot be read.\n${pointed(line, result.problems)}`);
}

/** The names of the datasets that a service lists; a dataset's name is the end of its path. */
async function listedNames(client: Client, options?: CallOptions): Promise<readonly string[]> {
	const {data} = await client.listDatasets({limit: datasetListLimits.page.max, sort: 'name'}, options);
	return data.items.map(({path}) => path.slice(path.lastIndexOf('/') + 1));
}

/** Looks the datasets of a filter up that are given by their names. */
export async function datasetIds(
	client: Client,
	filter: Filter,
	options?: CallOptions,
): Promise<DatasetIdByName> {
	const ids = new Map<string, string | undefined>();
	// One after the other: thousands may be named.
	for (const name of [...filter.datasets, ...(filter.not?.datasets ?? [])]) {
		if (!isDatasetId(name)) ids.set(name, await resolveDataset(client, name, options));
	}
	return name => ids.get(name);
}

/**
 * The request that a filter stands for, with its datasets looked up by name.
 *
 * @throws {UsageError} pointing at the names that no dataset of the service bears.
 */
export async function requestFor(
	client: Client,
	{filter, line}: TypedFilter,
	options?: CallOptions,
): Promise<ExploreQuestion> {
	const result = toExploreRequest(filter, await datasetIds(client, filter, options));
	if (result.ok) return result.request;
	// Without the listing there are only fewer names to have been meant.
	const known = await listedNames(client, options).catch(() => []);
	const [first, ...rest] = unknownDatasetProblems(line, result.unknownDatasets, known);
	if (first === undefined)
		throw new UsageError(`No dataset is called ${result.unknownDatasets.join(' or ')}.`);
	throw new UsageError(`A dataset in the filter does not exist.\n${pointed(line, [first, ...rest])}`);
}
