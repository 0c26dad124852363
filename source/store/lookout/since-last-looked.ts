import type {Count} from '../../contract/scalars.ts';
import {hasEnded, type JobEntry} from '../jobs/job-entry.ts';
import type {UploadEntry} from '../uploads/upload-entry.ts';

type Arrival = {
	/** When somebody last looked, in milliseconds since 1970; undefined where nobody did. */
	readonly lookedAt: number | undefined;
	/** Episodes in the lake then, and now; undefined where that is not known. */
	readonly episodesBefore: number | undefined;
	readonly episodes: Count | undefined;
	readonly uploads: readonly UploadEntry[];
	readonly jobs: readonly JobEntry[];
};

const some = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** When a job ended, as far as its fields or its events tell. */
function endOf({fields, timings}: JobEntry): number | undefined {
	const told = typeof fields.ended_at === 'string' ? Date.parse(fields.ended_at) : Number.NaN;
	if (!Number.isNaN(told)) return told;
	const moments = timings.flatMap(({events}) => events.flatMap(({at}) => at ?? []));
	return moments.length === 0 ? undefined : Math.max(...moments);
}

/** What is new since somebody last looked, in words; undefined where nothing is. */
export function newsSince({lookedAt, episodesBefore, episodes, uploads, jobs}: Arrival): string | undefined {
	if (lookedAt === undefined) return undefined;
	const more = episodes === undefined || episodesBefore === undefined ? 0 : Number(episodes) - episodesBefore;
	const ended = uploads.filter(({done, updatedAt}) => done && updatedAt > lookedAt);
	const failed = ended.filter(({phase}) => phase === 'failed').length;
	const over = jobs.filter(job => hasEnded(job) && (endOf(job) ?? 0) > lookedAt);
	const byStatus = (status: string) => over.filter(job => job.status === status).length;
	const [completed, broken, cancelled] = [byStatus('completed'), byStatus('failed'), byStatus('cancelled')];
	const parts = [
		more > 0 ? some(more, 'episode') : '',
		ended.length > failed ? `${some(ended.length - failed, 'upload')} taken in` : '',
		failed > 0 ? `${some(failed, 'upload')} failed` : '',
		completed > 0 ? `${some(completed, 'job')} completed` : '',
		broken > 0 ? `${some(broken, 'job')} failed` : '',
		cancelled > 0 ? `${some(cancelled, 'job')} cancelled` : '',
	].filter(Boolean);
	return parts.length === 0 ? undefined : `New since you last looked: ${parts.join(', ')}.`;
}
