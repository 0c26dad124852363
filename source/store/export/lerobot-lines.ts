import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {artifactFigure, type DatasetItem} from '../../contract/listing.ts';
import type {LocalTrainer, TrainerOptions} from '../../contract/local-jobs.ts';
import {lerobotHome} from '../../files/datasets-on-disk.ts';
import {hubSnapshot} from '../../files/hub-cache.ts';
import type {Catalog} from '../artifacts/catalog.ts';
import type {LocalWatch} from '../queries/local-document.ts';
import type {Selection} from '../selection/selection.ts';
import type {ExportContent} from './exporter.ts';
import {
	type DatasetSource,
	deleteLine,
	type EditTools,
	editLines,
	episodesLine,
	type OfDataset,
	pushLine,
	toolsRemark,
	viewLine,
} from './lerobot-edits.ts';
import {shellWord} from './shell-lines.ts';

/**
 * How episodes are handed to LeRobot: trained on alone, or left out in training; deleted from a copy (all, or those of them
 * that are rejected); the other edits of their datasets; one of them shown; their datasets put on the Hub.
 */
export type LerobotForm = 'episodes' | 'edit' | 'view' | 'push' | 'delete' | 'delete-rejected' | 'exclude';

type LerobotParts = {
	readonly catalog: Catalog;
	readonly local: LocalWatch;
	readonly client: Pick<Client, 'trainerOptions'>;
	/** An episode with what was decided about it. */
	readonly reviews: {shown(episode: LakeEpisode): LakeEpisode};
	/** The one under the cursor. */
	selectedEpisode(): LakeEpisode | undefined;
};

/** The selection as arguments of LeRobot's own commands: a line a dataset. */
export function lerobotContent(parts: LerobotParts, selection: Selection, form: LerobotForm): ExportContent {
	const {catalog, local, reviews} = parts;
	const underCursor = parts.selectedEpisode();
	const isRejected = (episode: LakeEpisode) => reviews.shown(episode).review_state === 'rejected';
	return {
		selection,
		async gather(episodes, signal) {
			const wanted = form === 'delete-rejected' ? episodes.filter(isRejected) : episodes;
			if (wanted.length === 0)
				throw new Error('None of these episodes is rejected: there is nothing to delete.');
			const isOfThisMachine = local.known.getState().document !== undefined;
			const found = async (episode: LakeEpisode) => {
				const item = await catalog.datasets.listing.find(episode.dataset_id, signal);
				return sourceOf(episode, item, isOfThisMachine);
			};
			if (form === 'view') {
				const shown = underCursor ?? wanted[0];
				return shown ? viewLine(await found(shown), shown.episode_index) : '';
			}
			const groups = await byDataset(wanted, found);
			if (form === 'push') return groups.map(({source}) => pushLine(source)).join('\n');
			if (form === 'episodes') return groups.map(episodesLine).join('\n');
			const told = form === 'exclude' ? undefined : await installedTools(parts, signal);
			if (form === 'edit' && told) {
				return `${toolsRemark(told)}\n${editLines(groups, of => tasksIn(of, wanted), told)}`;
			}
			if (groups.every(isAll)) {
				const names = groups.map(({source}) => source.repoId).join(', ');
				throw new Error(
					`These are all episodes of ${names}: nothing would be left. Select only those to delete.`,
				);
			}
			if (told === undefined) {
				const knows = await trainerExcludes(parts, signal);
				return groups.map(of => excludeLine(of, knows)).join('\n');
			}
			const lines = groups.map(of => (isAll(of) ? nothingLeft(of) : deleteLine(of, told)));
			return [toolsRemark(told), ...lines].join('\n');
		},
	};
}

/** The answer of a service that can be asked, once it knows; undefined for one that cannot. */
async function askedOptions(
	{client, local}: LerobotParts,
	isAsking: (options: TrainerOptions) => boolean,
	signal: AbortSignal,
): Promise<TrainerOptions | undefined> {
	if (!(await local.can('trainer-options', signal))) return undefined;
	for (;;) {
		const {data} = await client.trainerOptions({signal});
		if (!isAsking(data)) return data;
		await delay(againMs, undefined, {signal});
	}
}

/** The `lerobot-edit-dataset` of the service's machine. */
async function installedTools(parts: LerobotParts, signal: AbortSignal): Promise<EditTools> {
	const options = await askedOptions(parts, ({edit_dataset}) => edit_dataset?.is_asking ?? false, signal);
	return (
		options?.edit_dataset ?? {
			operations: null,
			flags: null,
			message: 'The LeRobot of that machine cannot be asked.',
		}
	);
}

/** The trainer of this machine has `--dataset.exclude_episodes`; null where that is not known. */
async function trainerExcludes(parts: LerobotParts, signal: AbortSignal): Promise<boolean | null> {
	return (await askedOptions(parts, ({is_asking}) => is_asking, signal))?.exclude_episodes ?? null;
}

const tasksIn = ({datasetId}: OfDataset, episodes: readonly LakeEpisode[]) =>
	new Map(
		episodes
			.filter(({dataset_id}) => dataset_id === datasetId)
			.sort((a, b) => a.episode_index - b.episode_index)
			.map(({episode_index, task}) => [episode_index, task]),
	);

/** Episodes by the datasets that they are of, each with the indices that it has there, in order and once. */
export async function byDataset(
	episodes: readonly LakeEpisode[],
	sourceOf: (episode: LakeEpisode) => Promise<DatasetSource>,
): Promise<readonly OfDataset[]> {
	const groups = [...Map.groupBy(episodes, ({dataset_id}) => dataset_id).values()];
	const all: OfDataset[] = [];
	for (const members of groups) {
		const [first] = members;
		if (first === undefined) continue;
		const indices = [...new Set(members.map(({episode_index}) => episode_index))].sort((a, b) => a - b);
		all.push({source: await sourceOf(first), indices, datasetId: first.dataset_id});
	}
	return all.sort((a, b) => (a.source.repoId < b.source.repoId ? -1 : 1));
}

/** They are all that the dataset has: LeRobot makes none without any. */
const isAll = ({source: {episodes}, indices}: OfDataset): boolean => indices.length === episodes;

/** In the place of a line that LeRobot would refuse; for a shell it is none. */
const nothingLeft = ({source: {repoId}, indices}: OfDataset) =>
	`# ${repoId}: all of its episodes (${indices.length}); nothing would be left`;

const listed = (indices: readonly number[]) => `"[${indices.join(', ')}]"`;

/** The options that have a trainer leave some episodes of a dataset out. */
export function excludeLine(of: OfDataset, trainerKnows: boolean | null = null): string {
	if (isAll(of)) return nothingLeft(of);
	const {repoId, root, episodes} = of.source;
	const line = [
		`--dataset.repo_id=${shellWord(repoId)}`,
		...(root === undefined ? [] : [`--dataset.root=${shellWord(root)}`]),
		`--dataset.exclude_episodes=${listed(of.indices)}`,
	].join(' ');
	if (trainerKnows || episodes === undefined) return line;
	const excluded = new Set(of.indices);
	const kept = Array.from({length: episodes}, (_, index) => index).filter(index => !excluded.has(index));
	const others = episodesLine({...of, indices: kept});
	return trainerKnows === false
		? `# the trainer of this machine has no --dataset.exclude_episodes: the others by --dataset.episodes\n${others}`
		: `${line}\n# the same for LeRobot up to v0.6.1, which has no --dataset.exclude_episodes:\n# ${others}`;
}

/** The source of a dataset that was read from a folder of this machine. */
export function sourceOfFolder(name: string, folder: string): DatasetSource {
	const snapshot = hubSnapshot(folder);
	// The snapshot itself: by its name alone LeRobot asks the Hub which revision is the newest.
	if (snapshot) return {repoId: snapshot.repoId, root: folder};
	const below = path.relative(lerobotHome(), folder);
	const parts = below.split(path.sep);
	const isKnown = parts.length === 2 && !parts.includes('..') && !path.isAbsolute(below);
	// A download of today's LeRobot: its name is that of the folder in the Hub's cache.
	const [, org, inCache] = /datasets--([^/]+?)--([^/]+)\/snapshots\/[^/]+$/.exec(folder) ?? [];
	if (org !== undefined && inCache !== undefined) return {repoId: `${org}/${inCache}`, root: folder};
	return isKnown ? {repoId: parts.join('/'), root: undefined} : {repoId: `local/${name}`, root: folder};
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Where LeRobot finds the dataset of an episode.
 *
 * @param item as it is listed; undefined where it is not.
 * @param isOfThisMachine folders that the service names are this machine's.
 */
export function sourceOf(
	{dataset_name}: Pick<LakeEpisode, 'dataset_name'>,
	item: DatasetItem | undefined,
	isOfThisMachine: boolean,
): DatasetSource {
	if (item === undefined) return {repoId: dataset_name, root: undefined};
	const folder = isOfThisMachine ? text(item.metadata?.folder) : undefined;
	const episodes = artifactFigure(item, 'episodes');
	return {
		...(folder === undefined ? {repoId: item.path, root: undefined} : sourceOfFolder(dataset_name, folder)),
		format: text(item.metadata?.format),
		episodes: episodes === undefined ? undefined : Number(episodes),
	};
}

/** True if the trainer on the service's machine can leave episodes out; the reason if that is not known. */
export type TrainerKnowledge =
	| {readonly kind: 'asking'}
	| {readonly kind: 'knows' | 'lacks'; readonly message: string}
	/** There is none, or it does not tell. */
	| {readonly kind: 'unknown'; readonly message: string};

const againMs = 1000;

type TrainerClient = Pick<Client, 'address' | 'trainer' | 'trainerEnvironment'>;
export type Can = (ability: string, signal: AbortSignal) => Promise<boolean>;

/**
 * The trainer that a fine-tune would run on. A service of this machine is told this program's environment: it may have been
 * started by a shell that has no trainer. No other service gets it.
 *
 * @throws where the service is another, which does not know the question
 */
export async function askTrainer(
	client: TrainerClient,
	can: Can,
	signal: AbortSignal,
): Promise<LocalTrainer> {
	if (client.address.loopback && (await can('trainer-environment', signal))) {
		const {PATH = '', VIRTUAL_ENV = null, CONDA_PREFIX = null} = process.env;
		return (await client.trainerEnvironment({PATH, VIRTUAL_ENV, CONDA_PREFIX}, {signal})).data;
	}
	return (await client.trainer({signal})).data;
}

/** Asks until the service has found out; each state as it comes. */
export async function* trainerKnowledge(
	client: TrainerClient & Pick<Client, 'trainerOptions'>,
	can: Can,
	signal: AbortSignal,
): AsyncGenerator<TrainerKnowledge, void> {
	yield {kind: 'asking'};
	await askTrainer(client, can, signal);
	for (;;) {
		const {data} = await client.trainerOptions({signal});
		const {exclude_episodes: knows, is_asking, message} = data;
		if (!is_asking) {
			yield knows == null ? {kind: 'unknown', message} : {kind: knows ? 'knows' : 'lacks', message};
			return;
		}
		await delay(againMs, undefined, {signal});
	}
}
