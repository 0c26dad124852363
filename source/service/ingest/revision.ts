import {createHash} from 'node:crypto';
import {v5 as uuidv5} from 'uuid';
import type {NumericFeature} from '../../lerobot/features.ts';

type RevisionInput = {
	readonly fps: number;
	readonly task: string | null;
	/** With their values, frame after frame; undefined where the episode lacks them. */
	readonly features: readonly (readonly [NumericFeature, Float32Array | Float64Array | undefined])[];
	readonly timestamps: Float64Array | undefined;
};

/**
 * SHA-256 over an episode's own content: its task, its features and their values as they are stored. Where the
 * episode lies in the dataset does not count, so the same recording has the same revision wherever it is moved.
 */
export function revisionOf({fps, task, features, timestamps}: RevisionInput): string {
	const header = features.map(([{key, dtype, shape, names}, values]) => [
		key,
		dtype,
		shape,
		names,
		values?.constructor.name,
		values?.length,
	]);
	const hash = createHash('sha256').update(JSON.stringify(['lakescope-1', fps, task, header]));
	for (const [, values] of features) if (values) hash.update(values);
	if (timestamps) hash.update(timestamps);
	return hash.digest('hex');
}

/** UUIDv5 of the dataset, the episode's index and its revision. */
export function episodeId(datasetId: string, episodeIndex: number, revision: string): string {
	return uuidv5(`${episodeIndex}/${revision}`, datasetId);
}
