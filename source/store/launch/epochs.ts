import type {JobEntry} from '../jobs/job-entry.ts';
import type {Draft} from './draft.ts';

const finite = (value: unknown) =>
	typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined;

/** How far hours go, by what finished jobs of the same type did here. */
export type Reach = {
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
