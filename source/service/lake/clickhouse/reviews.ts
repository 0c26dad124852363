import {randomUUID} from 'node:crypto';
import type {Mark, Recording} from '../engine.ts';
import {amongTexts, text} from './literals.ts';
import {lastDecisions, type Moment, within} from './moment.ts';
import type {Server} from './server.ts';

/**
 * Writes decisions down, each with the next sequence number; the last one about a recording counts.
 *
 * @param onlyNew the name of a dataset whose recordings that the lake has a decision about keep that one
 */
export async function writeReviews(
	server: Server,
	marks: readonly Mark[],
	{onlyNew}: {onlyNew?: string} = {},
): Promise<void> {
	if (marks.length === 0) return;
	const known =
		onlyNew === undefined
			? []
			: await server.rows<{revision: string}>(
					`SELECT DISTINCT revision FROM review WHERE dataset_name = ${text(onlyNew)}`,
				);
	const held = new Set(known.map(({revision}) => revision));
	const fresh = marks.filter(({revision}) => !held.has(revision));
	if (fresh.length === 0) return;
	const [last] = await server.rows<{sequence: number}>('SELECT max(sequence) AS sequence FROM review');
	const sequence = (last?.sequence ?? 0) + 1;
	const writer = randomUUID();
	await server.insert(
		'review',
		['dataset_name', 'revision', 'state', 'sequence', 'writer'],
		fresh.map(({datasetName, revision, state}) => [
			datasetName,
			revision.toLowerCase(),
			state,
			sequence,
			writer,
		]),
	);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Ids that an episode can have, in the form in which the lake gives them. */
export const episodeIds = (ids: readonly string[]) =>
	ids.filter(id => uuid.test(id)).map(id => id.toLowerCase());

type Found = {
	generation_key: number;
	episode_index: number;
	id: string;
	revision: string;
	review_state: string;
};

/** Those of these episodes that the lake holds, in its order. */
export async function recordings(
	server: Server,
	moment: Moment,
	ids: readonly string[],
): Promise<Recording[]> {
	const asked = episodeIds(ids);
	if (asked.length === 0 || moment.datasets.length === 0) return [];
	const found = await server.rows<Found & {dataset_name: string}>(
		`SELECT generation_key, dataset_name, episode_index, toString(episode_id) AS id, revision, review_state FROM episode e
		WHERE ${within('e', moment.datasets)} AND e.revision != '' AND ${amongTexts('e.episode_id', asked)}
		ORDER BY dataset_name, episode_index`,
	);
	const decided = await decisions(server, moment, [...new Set(found.map(({dataset_name}) => dataset_name))]);
	const datasetOf = new Map(moment.datasets.map(dataset => [dataset.generation_key, dataset]));
	return found.map(row => ({
		episode_id: row.id,
		dataset_id: datasetOf.get(row.generation_key)?.dataset_id ?? '',
		dataset_name: row.dataset_name,
		episode_index: row.episode_index,
		revision: row.revision,
		review_state: shownState(row.review_state, decided.get(JSON.stringify([row.dataset_name, row.revision]))),
	}));
}

const shownState = (ingested: string, decided: string | undefined) =>
	decided === undefined || decided === 'unreviewed' ? ingested : decided;

/** The last decisions about the recordings of these datasets. */
async function decisions(
	server: Server,
	moment: Moment,
	names: readonly string[],
): Promise<Map<string, string>> {
	if (moment.reviews === 0 || names.length === 0) return new Map();
	const rows = await server.rows<{dataset_name: string; revision: string; decided: string}>(
		lastDecisions(moment, amongTexts('dataset_name', names)),
	);
	return new Map(rows.map(row => [JSON.stringify([row.dataset_name, row.revision]), row.decided]));
}
