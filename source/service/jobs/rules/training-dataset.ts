import {existsSync} from 'node:fs';
import path from 'node:path';
import type {OwnImageKeys} from '../../../contract/image-keys.ts';
import type {DatasetDetails, LakeEngine} from '../../lake/engine.ts';

/** The prefix of the paths under which this service lists its datasets. */
const pathPrefix = 'local/';

/** The dataset that a caller means: by its id, its path `local/NAME`, or its name. */
export async function findDataset(
	lake: Pick<LakeEngine, 'details'>,
	wanted: string,
): Promise<DatasetDetails | undefined> {
	const direct = await lake.details(wanted);
	if (direct || !wanted.startsWith(pathPrefix)) return direct;
	return lake.details(wanted.slice(pathPrefix.length));
}

export const datasetPath = (name: string): string => `${pathPrefix}${name}`;

/** The answer of 4.3's image-keys. */
export function imageKeysOf(dataset: DatasetDetails): OwnImageKeys {
	return {
		dataset_id: dataset.dataset_id,
		path: datasetPath(dataset.dataset_name),
		image_keys: [...dataset.cameras],
		features: dataset.cameras.map(key => ({
			key,
			dtype: dataset.features[key]?.dtype ?? 'image',
			shape: [...(dataset.features[key]?.shape ?? [])],
		})),
	};
}

/** The dimensions of a feature that is a vector. */
export function dimsOf(dataset: DatasetDetails, feature: string): number | undefined {
	const shape = dataset.features[feature]?.shape;
	return shape?.length === 1 ? shape[0] : undefined;
}

/** The progress that reward-aware cloning weighs frames by, where LeRobot looks for it. */
export function progressFileOf(dataset: Pick<DatasetDetails, 'folder'>): string | undefined {
	const file = path.join(dataset.folder, 'sarm_progress.parquet');
	return existsSync(file) ? file : undefined;
}
