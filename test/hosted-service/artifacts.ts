import {identity} from './identity.ts';
import {datasetId, type Lake} from './lake.ts';

/** Dataset item (section 2.4) and model item (section 2.5), which have one shape. */
export type Artifact = {
	artifact_id: string;
	subtype: string;
	path: string;
	metadata?: Record<string, unknown>;
	jobs?: Array<{job_id: string; direction: 'input' | 'output'}>;
	created_at: string;
	updated_at: string;
};

const day = 86_400_000;
const start = Date.UTC(2025, 0, 6, 9);

/** A date that is the same in every run, so many days after the first. */
export const dateAfter = (days: number): string => new Date(start + days * day).toISOString();

/** The datasets behind a lake, each a day newer than the one before, and one reward progress dataset. */
export function datasetsOf(lake: Lake): Artifact[] {
	const datasets = lake.datasets.values.map((name, position): Artifact => {
		const job_id = identity('job', Math.floor(position / 2), 0);
		return {
			artifact_id: datasetId(position),
			subtype: 'lerobot_v3',
			path: `acme/${name}`,
			metadata: {fps: 30},
			jobs: position % 2 === 0 ? [{job_id, direction: 'input'}] : [],
			created_at: dateAfter(position),
			updated_at: dateAfter(100 - position),
		};
	});
	const progress: Artifact = {
		artifact_id: identity('dataset', 0xffff, 1),
		subtype: 'sarm_progress',
		path: 'acme/progress-of-folding',
		jobs: [{job_id: identity('job', 0, 0), direction: 'output'}],
		created_at: dateAfter(50),
		updated_at: dateAfter(50),
	};
	return [...datasets, progress];
}

export function someModels(): Artifact[] {
	return ['act-fold', 'pi05-cups', 'reward-fold'].map((name, position) => ({
		artifact_id: identity('model', position, 0),
		subtype: name.startsWith('reward') ? 'reward_model' : 'vla_model',
		path: `acme/${name}`,
		metadata: {steps: 20_000 * (position + 1)},
		jobs: [{job_id: identity('job', position, 0), direction: 'output'}],
		created_at: dateAfter(60 + position),
		updated_at: dateAfter(61 + position),
	}));
}
