import * as z from 'zod';
import {finetuneLimits} from '../../contract/limits.ts';
import {type VlaType, vlaTypes} from '../../contract/vocabulary.ts';
import {noFilter} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import type {JobEntry} from '../jobs/job-entry.ts';

/** The content of a camera slot: an image key, nothing at all, or not decided yet. */
const cameraChoice = z.object({
	/** Null for a slot that is left unused. */
	key: z.string().nullable(),
	/** The user has confirmed it; until then it is only a suggestion. */
	isConfirmed: z.boolean(),
});
export type CameraChoice = z.output<typeof cameraChoice>;

/**
 * A fine-tune as it is being written, in the words that were typed: what is wrong with them is told, and kept. It
 * outlives the run.
 */
export const draftSchema = z.looseObject({
	project: z.object({id: z.string(), name: z.string()}).optional(),
	/** A dataset by its artifact's id and its path in the hub, with its frames where they are known. */
	dataset: z
		.object({
			id: z.string(),
			path: z.string(),
			/** Its name in filters. */
			name: z.string().optional(),
			frames: z.number().optional(),
		})
		.optional(),
	/** The filter whose episodes it is about, as the filter line says it. */
	filter: z.string().optional(),
	/** Episodes picked one by one that its dataset was composed of: no filter says them. */
	picked: z.number().optional(),
	/** A dataset that is being composed to be trained on. */
	composing: z.object({operationId: z.string(), name: z.string()}).optional(),
	vlaType: z.enum(vlaTypes).optional(),
	modelId: z.string(),
	/** By slot. */
	cameras: z.record(z.string(), cameraChoice),
	/** Slots of which nothing is said are unused: so it was in the request that this one is like. */
	othersUnused: z.boolean().optional(),
	name: z.string(),
	hours: z.string(),
	batchSize: z.string(),
	/** Hyperparameters that are to be others than the service's defaults, as they were typed. */
	hyperparameters: z.record(z.string(), z.string()),
	/** Hyperparameters that the service told no default of: a JSON object, as it was typed. */
	further: z.string(),
	usesRewards: z.boolean(),
	headMode: z.string(),
	rewardModel: z.string(),
	sarmKey: z.string(),
	instanceType: z.string(),
	region: z.string(),
});
export type Draft = z.output<typeof draftSchema>;

export const emptyDraft: Draft = {
	modelId: '',
	cameras: {},
	name: '',
	hours: '',
	batchSize: String(finetuneLimits.batchSize.default),
	hyperparameters: {},
	further: '',
	usesRewards: false,
	headMode: '',
	rewardModel: '',
	sarmKey: '',
	instanceType: '',
	region: '',
};

/**
 * Takes a dataset; cameras that were chosen of another one are asked for again.
 *
 * @param filter what the episodes were found by. @default all of the dataset, where it is another one than before
 */
export function withDataset(draft: Draft, dataset: NonNullable<Draft['dataset']>, filter?: string): Draft {
	const isSame = draft.dataset?.id === dataset.id;
	const whole = print({...noFilter, datasets: [dataset.name ?? dataset.id]});
	return {
		...draft,
		dataset,
		composing: undefined,
		picked: isSame ? draft.picked : undefined,
		cameras: isSame ? draft.cameras : {},
		othersUnused: isSame ? draft.othersUnused : undefined,
		filter: filter ?? (isSame && draft.filter !== undefined ? draft.filter : whole),
	};
}

/** Fields that opening the form sets: not written by the user. */
const about: ReadonlySet<string> = new Set(['dataset', 'filter', 'picked']);

/** True if the same was written and chosen in both, whatever episodes they are about. */
export function isSameWriting(a: Draft, b: Draft): boolean {
	const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
	return [...fields].every(
		field => about.has(field) || JSON.stringify(a[field]) === JSON.stringify(b[field]),
	);
}

/** True if the service would check the same hyperparameters. */
export function hasSameHyperparameters(a: Draft, b: Draft): boolean {
	return a.hyperparameters === b.hyperparameters && a.further === b.further && a.vlaType === b.vlaType;
}

/** Takes a VLA type: cameras, base model and hyperparameters of another one mean nothing to it. */
export function withType(draft: Draft, vlaType: VlaType): Draft {
	if (draft.vlaType === vlaType) return draft;
	return {...draft, vlaType, modelId: '', cameras: {}, othersUnused: undefined, hyperparameters: {}};
}

const finite = (value: unknown) =>
	typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined;

/** How far hours go, by what finished jobs of the same type did here. */
type Reach = {
	readonly epochs: number;
	/** Steps a second, the median of those jobs. */
	readonly rate: number;
	readonly jobs: number;
};

/** Undefined where no finished job tells its rate, or the dataset's frames are not known. An epoch is ceil(frames / batch) steps. */
export function reachOf(draft: Draft, jobs: readonly JobEntry[]): Reach | undefined {
	const hours = finite(Number(draft.hours));
	const batch = finite(Number(draft.batchSize));
	const frames = draft.dataset?.frames;
	if (hours === undefined || batch === undefined || frames === undefined || frames === 0) return undefined;
	const rates = jobs
		.filter(({status, fields}) => status === 'completed' && fields.vla_type === draft.vlaType)
		.flatMap(({fields}) => finite(fields.steps_per_second) ?? [])
		.sort((a, b) => a - b);
	const rate = rates[Math.floor(rates.length / 2)];
	if (rate === undefined) return undefined;
	return {epochs: (hours * 3600 * rate) / Math.ceil(frames / batch), rate, jobs: rates.length};
}
