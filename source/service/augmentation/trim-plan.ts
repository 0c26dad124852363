import {DatasetError} from '../../lerobot/dataset-error.ts';
import type {DatasetInfo, Feature} from '../../lerobot/info.ts';
import type {DatasetFolder, DatasetIndex} from '../../lerobot/read-dataset.ts';
import {isExactDtype} from '../../lerobot/read-exact-column.ts';
import type {WholeFeature} from '../../lerobot/read-whole-episodes.ts';
import type {DatasetToWrite, MarkerForm} from '../../lerobot/write-description.ts';
import type {TrimPlan} from './trim-episode.ts';
import type {TrimRequest} from './trim-report.ts';

/** Columns that the writer makes anew. */
const remade = new Set(['timestamp', 'frame_index', 'episode_index', 'index', 'task_index', 'subtask_index']);

/**
 * How a dataset is to be trimmed.
 *
 * @throws {DatasetError} where it has nothing to find pauses by, or holds what cannot be written again as it is
 */
export function trimPlan(
	{info, layout, videos}: DatasetFolder,
	index: DatasetIndex,
	{folder, dataset_name, ordinal}: TrimRequest,
): TrimPlan {
	const {action} = layout;
	if (!action) throw new DatasetError(`${folder} has no action, by which pauses are found.`);
	return {
		fps: info.fps,
		action,
		features: ownFeatures(info).flatMap(([key, feature]) => wholeFeature(folder, key, feature)),
		cameras: videos,
		tasks: index.tasks,
		subtasks: index.subtasks,
		ownVideos: info.format === 'v2.1',
		datasetName: dataset_name,
		ordinal,
	};
}

/** What the trimmed dataset is. */
export function trimmedDataset(
	{info, layout}: DatasetFolder,
	{listings}: DatasetIndex,
	plan: TrimPlan,
): DatasetToWrite {
	const kept = [...listings.values()];
	const forms: MarkerForm[] = [
		...(['sparse', 'dense'] as const).filter(form => kept.some(({subtasks}) => subtasks[form])),
		...(layout.hasSubtaskIndex ? (['frame'] as const) : []),
	];
	return {
		robotType: info.robot_type ?? null,
		fps: info.fps,
		features: Object.fromEntries(ownFeatures(info)),
		markers: forms,
		lineage: true,
		tags: kept.some(({tags}) => tags.length > 0),
		card: card(plan),
	};
}

function ownFeatures(info: DatasetInfo): [string, Feature][] {
	return Object.entries(info.features).filter(([key]) => !remade.has(key));
}

function wholeFeature(folder: string, key: string, {dtype, shape}: Feature): WholeFeature[] {
	if (dtype === 'video') return [];
	if (dtype === 'image') {
		throw new DatasetError(
			`${folder} keeps the pictures of "${key}" in its data files, which cannot be trimmed yet. Have LeRobot store them as videos first.`,
		);
	}
	if (dtype !== 'string' && !isExactDtype(dtype)) {
		throw new DatasetError(
			`${folder} has a feature "${key}" of dtype ${dtype}, which cannot be trimmed yet.`,
		);
	}
	if (shape.length !== 1) {
		throw new DatasetError(
			`${folder} has a feature "${key}" of shape [${shape.join(', ')}]; only datasets of vectors can be trimmed yet.`,
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
