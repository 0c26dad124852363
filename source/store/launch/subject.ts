import type {Client} from '../../client/client.ts';
import {noFilter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import {datasetSizes} from '../selection/dataset-sizes.ts';
import {isNothing, type Selection} from '../selection/selection.ts';

type SubjectClient = Pick<Client, 'explore' | 'listDatasets'>;

/** What episodes a fine-tune was asked for. */
export type Subject =
	/** All of one dataset. */
	| {readonly kind: 'whole'; readonly datasetId: string; readonly filter: string}
	/** Some of one or several: no dataset that could be trained on, until one is composed of them. */
	| {
			readonly kind: 'partial';
			readonly selection: Selection;
			readonly episodes: bigint;
			/** The datasets that they are of, by their ids, the one of most episodes first; undefined where not all are known. */
			readonly datasets: readonly string[] | undefined;
			/** The filter that finds them; undefined where they were picked one by one. */
			readonly filter: string | undefined;
	  };

async function episodesOf(client: SubjectClient, datasetId: string, signal: AbortSignal): Promise<bigint> {
	const {data} = await client.explore({dataset_ids: [datasetId], limit: 1}, {signal});
	return BigInt(data.total);
}

/** Whether a filter lets the whole lake through. */
const isWholeLake = (line: string) => line === print(noFilter);

const mostFirst = (sizes: ReadonlyMap<string, bigint>): readonly string[] =>
	[...sizes].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0)).map(([id]) => id);

/** How many of the picked episodes each dataset has. */
function pickedSizes({picked}: Extract<Selection, {by: 'hand'}>): ReadonlyMap<string, bigint> {
	const sizes = new Map<string, bigint>();
	for (const {dataset_id} of picked.values()) sizes.set(dataset_id, (sizes.get(dataset_id) ?? 0n) + 1n);
	return sizes;
}

/**
 * What a selection, or all that match a filter, is of: the interface trains on one whole dataset.
 *
 * @returns undefined where it is the whole lake, of which nobody has chosen anything.
 */
export async function subjectOf(
	client: SubjectClient,
	selection: Selection,
	signal: AbortSignal,
): Promise<Subject | undefined> {
	if (selection.by === 'hand') {
		if (isNothing(selection)) return undefined;
		const sizes = pickedSizes(selection);
		const [only = ''] = sizes.keys();
		const episodes = BigInt(selection.picked.size);
		if (sizes.size === 1 && (await episodesOf(client, only, signal)) === episodes) {
			const [first] = selection.picked.values();
			return {
				kind: 'whole',
				datasetId: only,
				filter: print({...noFilter, datasets: [first?.dataset_name ?? only]}),
			};
		}
		return {kind: 'partial', selection, episodes, datasets: mostFirst(sizes), filter: undefined};
	}
	const {question, except, filter} = selection;
	const line = print({...filter, descending: false});
	if (isWholeLake(line) && except.size === 0) return undefined;
	const {data} = await client.explore({...question, limit: 1, offset: 0}, {signal});
	const episodes = BigInt(data.total) - BigInt(except.size);
	const found = await datasetSizes(client, question, signal);
	const [only] = found?.sizes.keys() ?? [];
	if (only !== undefined && found?.sizes.size === 1 && !found.isMore && except.size === 0) {
		if ((await episodesOf(client, only, signal)) === episodes) {
			return {kind: 'whole', datasetId: only, filter: line};
		}
	}
	const datasets = found === undefined || found.isMore ? undefined : mostFirst(found.sizes);
	return {kind: 'partial', selection, episodes, datasets, filter: line};
}
