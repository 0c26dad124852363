import path from 'node:path';
import type {QueryClient} from '@tanstack/query-core';
import * as z from 'zod';
import {parseJson} from '../../client/json.ts';
import {jobStatus} from '../../contract/job-status.ts';
import {exactJson} from '../../contract/json-text.ts';
import {datasetItem, jobItem, modelItem, projectItem} from '../../contract/listing.ts';
import {augmentationRecord} from '../../contract/local-augmentations.ts';
import {uploadListResponse} from '../../contract/local-uploads.ts';
import {syncStatus} from '../../contract/sync-status.ts';
import {readTolerantly} from '../../contract/tolerance.ts';
import {readOrSetAside, writeDocument} from '../../files/document.ts';
import {places} from '../../files/places.ts';
import {lakeFileName} from '../../files/state.ts';

const firstPageOf = (item: z.ZodType) =>
	z.object({
		items: z.array(item),
		next: z.string().optional(),
		total: z.number().optional(),
		leftOut: z.number(),
		limit: z.number(),
	});

/** The answers that a next run shows until it has newer ones, by the first word of their place in the cache. */
const keptAnswers: Readonly<Record<string, z.ZodType>> = {
	uploads: uploadListResponse.nullable(),
	'sync-status': syncStatus,
	jobs: z.looseObject({
		items: z.array(jobItem),
		augmentations: z.array(augmentationRecord),
		hasMore: z.boolean(),
		leftOut: z.number(),
	}),
	'first-of-datasets': firstPageOf(datasetItem),
	'first-of-models': firstPageOf(modelItem),
	'first-of-projects': firstPageOf(projectItem),
	'job-status': z.looseObject({kind: z.enum(['fine-tune', 'augmentation']), status: jobStatus}),
};

/** The answers as JSON text of their own, whose 64-bit integers a plain reader would round. */
const keptFile = z.object({lake: z.string(), answers: z.string()});
const keptAnswer = z.object({key: z.array(z.string()), readAt: z.number(), data: z.unknown()});
type KeptAnswer = z.output<typeof keptAnswer>;

/** Bounds of the kept answers: how many, the newest first; characters of one of them. */
const bounds = {answers: 400, chars: 4_000_000} as const;

/** Older than this they say more about the past than about the lake. */
const keptForMs = 30 * 86_400_000;

const fileOf = (lake: string) => path.join(places().cache, `${lakeFileName('last-answers', lake)}.json`);

async function readKept(
	lake: string,
	notify: (sentence: string) => void,
): Promise<readonly (KeptAnswer & {readonly key: string[]})[]> {
	const file = await readOrSetAside(fileOf(lake), keptFile, notify);
	if (file === undefined || file.lake !== lake) return [];
	try {
		const read = z.array(keptAnswer).safeParse(parseJson(file.answers));
		const oldest = Date.now() - keptForMs;
		return read.success ? read.data.filter(({readAt}) => readAt > oldest) : [];
	} catch {
		// A file of the cache may be cut short.
		return [];
	}
}

/**
 * Puts what an earlier run read of uploads and jobs into the cache, where nothing newer is, so that there is something
 * to look at while the service does not answer. It shows as stale until then.
 *
 * @param lake which lake it is: an address with an account, or a folder.
 * @param notify is told the sentence about a file that is broken.
 */
export async function recallAnswers(
	queries: QueryClient,
	lake: string,
	notify: (sentence: string) => void,
): Promise<void> {
	for (const {key, readAt, data} of await readKept(lake, notify)) {
		const schema = keptAnswers[key[0] ?? ''];
		const read = schema && readTolerantly(schema, data);
		if (!read?.ok || queries.getQueryData(key) !== undefined) continue;
		queries.setQueryData(key, read.data, {updatedAt: readAt});
	}
}

/** Keeps what is known of uploads and jobs for the next run, readable to this user alone. */
export async function keepAnswers(queries: QueryClient, lake: string): Promise<void> {
	const known = queries.getQueryCache().getAll();
	const answers = known.flatMap(({queryKey, state}): KeptAnswer[] => {
		const key = queryKey.filter(part => typeof part === 'string');
		const isKept = key.length === queryKey.length && Object.hasOwn(keptAnswers, key[0] ?? '');
		return isKept && state.data !== undefined ? [{key, readAt: state.dataUpdatedAt, data: state.data}] : [];
	});
	if (answers.length === 0) return;
	// Answers that this run never read stay as an earlier one saw them.
	const seen = new Set(answers.map(({key}) => key.join(' ')));
	const earlier = await readKept(lake, () => undefined);
	const all = [...answers, ...earlier.filter(({key}) => !seen.has(key.join(' ')))]
		.sort((a, b) => b.readAt - a.readAt)
		.slice(0, bounds.answers);
	await writeDocument(fileOf(lake), {lake, answers: exactJson(withinBounds(all))});
}

/** The newest answers that fit, each as a whole: a list of thousands of jobs is not worth a slow start. */
function withinBounds(answers: readonly KeptAnswer[]): readonly KeptAnswer[] {
	let left: number = bounds.chars;
	return answers.filter(answer => {
		const {length} = exactJson(answer);
		if (length > left) return false;
		left -= length;
		return true;
	});
}
