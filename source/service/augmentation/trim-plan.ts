import {DatasetError} from '../../lerobot/dataset-error.ts';
import type {EpisodeListing} from '../../lerobot/episode-listing.ts';
import type {DatasetInfo, Feature} from '../../lerobot/info.ts';
import {isLanguageColumn} from '../../lerobot/language.ts';
import type {DatasetFolder, DatasetIndex} from '../../lerobot/read-dataset.ts';
import {isExactDtype} from '../../lerobot/read-exact-column.ts';
import type {WholeFeature} from '../../lerobot/read-whole-episodes.ts';
import type {DatasetToWrite, MarkerForm} from '../../lerobot/write-description.ts';
import type {CutPlan, TrimPlan} from './trim-episode.ts';
import type {TrimRequest} from './trim-report.ts';

/** Columns that the writer makes anew. */
const remade = new Set(['timestamp', 'frame_index', 'episode_index', 'index', 'task_index', 'subtask_index']);

/**
 * How a dataset is to be trimmed.
 *
 * @throws {DatasetError} where it has nothing to find pauses by, or holds what cannot be written again as it is
 */
export function trimPlan(dataset: DatasetFolder, index: DatasetIndex, request: TrimRequest): TrimPlan {
	const {action} = dataset.layout;
	if (!action) throw new DatasetError(`${request.folder} has no action, by which pauses are found.`);
	return {...cutPlan(dataset, index, request, 'trimmed'), action};
}

/**
 * How a dataset's episodes are to be written anew.
 *
 * @param done what cannot be done with a dataset that holds more than vectors, for the sentence
 * @throws {DatasetError} where it holds what cannot be written again as it is
 */
export function cutPlan(
	{info, videos}: DatasetFolder,
	index: DatasetIndex,
	{folder, dataset_name, ordinal}: Pick<TrimRequest, 'folder' | 'dataset_name' | 'ordinal'>,
	done: string,
): CutPlan {
	return {
		fps: info.fps,
		features: ownFeatures(info).flatMap(([key, feature]) => wholeFeature(folder, key, feature, done)),
		cameras: videos,
		tasks: index.tasks,
		subtasks: index.subtasks,
		ownVideos: info.format === 'v2.1',
		datasetName: dataset_name,
		ordinal,
	};
}

/** The description of the trimmed dataset. */
export function trimmedDataset(
	{info, layout}: DatasetFolder,
	{listings}: DatasetIndex,
	plan: TrimPlan,
): DatasetToWrite {
	const kept = [...listings.values()];
	return {
		robotType: info.robot_type ?? null,
		fps: info.fps,
		features: Object.fromEntries(ownFeatures(info)),
		markers: markerForms(kept, layout.hasSubtaskIndex),
		lineage: true,
		tags: kept.some(({tags}) => tags.length > 0),
		card: card(plan),
	};
}

/** The forms in which these episodes keep their markers. */
export function markerForms(
	listings: readonly Pick<EpisodeListing, 'subtasks'>[],
	hasSubtaskIndex: boolean,
): MarkerForm[] {
	return [
		...(['sparse', 'dense'] as const).filter(form => listings.some(({subtasks}) => subtasks[form])),
		...(hasSubtaskIndex ? (['frame'] as const) : []),
	];
}

/** The features of a dataset without those that every dataset has, which the writer makes anew. */
export function ownFeatures(info: Pick<DatasetInfo, 'features'>): [string, Feature][] {
	return Object.entries(info.features).filter(([key]) => !remade.has(key));
}

function wholeFeature(folder: string, key: string, {dtype, shape}: Feature, done: string): WholeFeature[] {
	if (dtype === 'video') return [];
	if (dtype === 'image') return [{key, dtype, width: 1}];
	if (dtype === 'language' && isLanguageColumn(key)) return [{key, dtype, width: 1}];
	if (dtype !== 'string' && !isExactDtype(dtype)) {
		throw new DatasetError(
			`${folder} has a feature "${key}" of dtype ${dtype}, which cannot be ${done} yet.`,
		);
	}
	if (shape.length !== 1) {
		throw new DatasetError(
			`${folder} has a feature "${key}" of shape [${shape.join(', ')}]; only datasets of vectors can be ${done} yet.`,
		);
	}
	return [{key, dtype, width: shape[0] ?? 1}];
}

function card({datasetName, cameras}: TrimPlan): string {
	const videos =
		cameras.length > 0
			? '\nThe video files are those of the parent; each episode shows the part of them that was kept.\n'
			: '';
	return `---
tags:
- LeRobot
- trimmed
---

# ${datasetName}, trimmed

Made by lakescope from the dataset \`${datasetName}\`: the pauses that its episodes begin and end with are left out. A
pause is a stretch of at least 0.25 s in which the action moves at less than 5 % of the episode's 95th percentile of
speed. Each episode names its parent in the columns \`lakescope/parent_dataset\` and \`lakescope/parent_episode_index\`.
${videos}`;
}
