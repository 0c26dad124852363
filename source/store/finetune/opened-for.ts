import type {Client} from '../../client/client.ts';
import type {DatasetItem} from '../../contract/listing.ts';
import {noFilter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import type {JobEntry} from '../jobs/job-entry.ts';
import {isNothing, type Selection} from '../selection/selection.ts';
import {datasetSizes} from '../selection/selection-summary.ts';
import {type Draft, withDataset} from './draft.ts';
import {type DatasetChoice, datasetChoice} from './finetune-facts.ts';
import type {Step} from './finetune-form.ts';
import {untold} from './like-job.ts';

export type PartialSubject = Extract<Subject, {kind: 'partial'}> & {
	/** Those of its datasets that are offered first, to be trained on as they are. */
	readonly wholes: readonly DatasetChoice[];
	/** How many of them are rejected: composing leaves those out unless it is asked for them. */
	readonly rejected: number;
	/** They are a whole dataset, and not one only without the rejected ones. @default false */
	readonly isWhole?: boolean;
};

/** So many datasets of a selection are looked up to be offered before all others. */
const mostWholes = 3;

/** The type of dataset that a fine-tune is trained on. */
export const trainableType = 'lerobot_v3';

/** Why nothing can be trained on something that is listed as a dataset; undefined where it can. */
export function untrainable({subtype, path}: DatasetItem): string | undefined {
	if (subtype === trainableType) return undefined;
	const is =
		subtype === 'sarm_progress' ? "sarm_progress, a reward model's values for another dataset" : subtype;
	return `${path} is ${is}: training needs a dataset of type ${trainableType}.`;
}

type Parts = {
	readonly client: Pick<Client, 'explore' | 'listDatasets'>;
	readonly selection: () => Selection;
	/** A dataset by its id. */
	readonly findDataset: (id: string, signal: AbortSignal) => Promise<DatasetItem | undefined>;
};

/** The beginning of a form that is opened on episodes. */
type OpenedFor = {
	readonly redraft: (draft: Draft) => Draft;
	/** Set where they are no whole dataset. */
	readonly subject: PartialSubject | undefined;
};

/** The selection, or all that match: one dataset, or the datasets to compose one of; undefined for the whole lake. */
export async function openedForSelected(
	{client, selection, findDataset}: Parts,
	signal: AbortSignal,
): Promise<OpenedFor | undefined> {
	const subject = await subjectOf(client, selection(), signal);
	if (subject === undefined) return undefined;
	const {filter} = subject;
	if (subject.kind === 'whole') {
		const item = await findDataset(subject.datasetId, signal);
		if (item === undefined) throw new Error('The dataset of these episodes is not listed by the service.');
		return {redraft: draft => withDataset(draft, datasetChoice(item), filter), subject: undefined};
	}
	const picked = subject.selection.by === 'hand' ? Number(subject.episodes) : undefined;
	const wholes: DatasetChoice[] = [];
	for (const id of (subject.datasets ?? []).slice(0, mostWholes)) {
		const item = await findDataset(id, signal);
		if (item !== undefined && untrainable(item) === undefined) wholes.push(datasetChoice(item));
	}
	return {
		redraft: ({dataset: _, ...draft}) => ({...draft, filter, picked}),
		subject: {...subject, wholes, rejected: 0},
	};
}

/** A dataset by its path, as it is listed now. @throws where it is not */
export async function listedDataset(
	{client}: Pick<Parts, 'client'>,
	path: string,
	signal: AbortSignal,
): Promise<DatasetChoice> {
	const {data} = await client.listDatasets({search: path.slice(0, 200)}, {signal});
	const item = data.items.find(each => each.path === path);
	if (item === undefined) throw new Error(`The dataset ${path} is no longer listed: choose another.`);
	return datasetChoice(item);
}

/** The first page on which something is missing of a draft that is like a job's. */
export function firstMissing({project, dataset, vlaType}: Draft): Step {
	if (project === undefined) return 'project';
	if (dataset === undefined) return 'dataset';
	return vlaType === undefined ? 'type' : 'training';
}

/** A sentence on what of a job's request is not known; undefined if all of it is. */
export function untoldWords(job: JobEntry): string | undefined {
	const unknown = untold(job);
	if (unknown.length === 0) return undefined;
	return `The service does not say this job's ${unknown.join(', ')}: choose them here; they may differ from the job's.`;
}

type SubjectClient = Pick<Client, 'explore' | 'listDatasets'>;

/** The episodes that a fine-tune was asked for. */
type Subject =
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

/** True if a filter matches the whole lake. */
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
 * The datasets of a selection, or of all that match a filter: the interface trains on one whole dataset.
 *
 * @returns undefined for the whole lake, from which nothing was chosen.
 */
async function subjectOf(
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
