import {readFile} from 'node:fs/promises';
import * as z from 'zod';
import type {LakeEpisode} from '../contract/episode.ts';
import {UsageError} from './print/failure.ts';

/** A line about an episode: as `episodes --jsonl` prints it, or as an item of `/local/v1/reviews`. */
const reviewLine = z
	.looseObject({
		episode_id: z.string().nullish(),
		episode_revision_id: z.string().nullish(),
		dataset_name: z.string().nullish(),
		episode_index: z.int().nullish(),
		review_state: z.string().nullish(),
	})
	.refine(
		line => line.episode_id ?? line.episode_revision_id ?? (line.dataset_name && line.episode_index !== null),
	);

/** A file's decision about an episode: its review state, or that it is listed without one. Undefined if it is not named. */
export type Decisions = (episode: LakeEpisode) => string | undefined;

/** An episode that a file lists without a decision. */
export const listedAlone = 'listed';

const byId = (id: string) => `id ${id.toLowerCase()}`;
const byRevision = (revision: string) => `revision ${revision}`;
const byPlace = (dataset: string, index: number) => `place ${index} ${dataset}`;

/**
 * Reads a file of decisions about episodes, JSON lines. The last line about an episode counts. A line that names the
 * recording's revision is about no other, whatever lies in its place now.
 *
 * @throws {UsageError} that names the line
 */
export async function readDecisions(file: string): Promise<Decisions> {
	const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		throw new UsageError(
			error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${error.code}).`,
		);
	});
	const said = new Map<string, string>();
	for (const [at, line] of text.split('\n').entries()) {
		if (line.trim() === '') continue;
		const {episode_id, episode_revision_id, dataset_name, episode_index, review_state} = parsed(
			line,
			file,
			at,
		);
		const state = review_state ?? listedAlone;
		if (episode_id) said.set(byId(episode_id), state);
		else if (episode_revision_id) said.set(byRevision(episode_revision_id), state);
		else if (dataset_name && episode_index != null) said.set(byPlace(dataset_name, episode_index), state);
	}
	if (said.size === 0) throw new UsageError(`${file} names no episode.`);
	return ({episode_id, episode_revision_id, dataset_name, episode_index}) =>
		said.get(byId(episode_id)) ??
		(episode_revision_id ? said.get(byRevision(episode_revision_id)) : undefined) ??
		said.get(byPlace(dataset_name, Number(episode_index)));
}

function parsed(line: string, file: string, at: number): z.output<typeof reviewLine> {
	try {
		return reviewLine.parse(JSON.parse(line));
	} catch {
		throw new UsageError(
			`Line ${at + 1} of ${file} names no episode: each is a JSON object with episode_id, episode_revision_id, or dataset_name and episode_index, as episodes --jsonl prints them.`,
		);
	}
}
