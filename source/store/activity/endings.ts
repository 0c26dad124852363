import {hasEnded, type JobEntry} from '../jobs/job-entry.ts';
import type {Notice} from '../state/notices.ts';
import {generationWords, type UploadEntry} from '../uploads/upload-entry.ts';

/** A sentence about something that ended. */
export type News = Pick<Notice, 'kind' | 'text' | 'way'>;

/** More sentences at once than this become one. */
const mostSentences = 3;

/** Uploads and re-ingests that were under way and have ended. */
export function endedUploads(
	before: readonly UploadEntry[],
	after: readonly UploadEntry[],
): readonly UploadEntry[] {
	const moved = new Set(before.filter(({done, phase}) => !done && phase !== undefined).map(({key}) => key));
	return after.filter(({done, key}) => done && moved.has(key));
}

/** Jobs that had not ended and have. */
export function endedJobs(before: readonly JobEntry[], after: readonly JobEntry[]): readonly JobEntry[] {
	const ran = new Set(before.filter(job => job.status !== undefined && !hasEnded(job)).map(({id}) => id));
	return after.filter(job => hasEnded(job) && ran.has(job.id));
}

export function uploadNews({name, operationId, phase, message, status}: UploadEntry): News {
	const subject = name ?? `Operation ${operationId?.slice(0, 8) ?? ''}`;
	if (phase === 'failed') {
		return {kind: 'error', text: `${subject} was not ingested: ${message ?? 'no reason was given'}`};
	}
	if (phase !== 'finalized') return {kind: 'info', text: `${subject} has ended: ${phase ?? 'unknown'}.`};
	const episodes = status?.episode_count;
	const parts = [
		...(status === undefined ? [] : generationWords(status)),
		episodes == null ? '' : `${episodes} ${Number(episodes) === 1 ? 'episode' : 'episodes'}`,
	].filter(Boolean);
	return {kind: 'info', text: `${subject} is in the lake${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`};
}

export function jobNews({id, kind, name, status, fields}: JobEntry): News {
	const what = kind === 'augmentation' ? 'The augmentation' : 'The job';
	const subject = `${what} ${name ?? id.slice(0, 8)}`;
	if (status === 'completed') return {kind: 'info', text: `${subject} has completed.`};
	if (status === 'cancelled') return {kind: 'warning', text: `${subject} was cancelled.`};
	const reason = typeof fields.message === 'string' && fields.message !== '' ? `: ${fields.message}` : '.';
	return {kind: 'error', text: `${subject} has failed${reason}`};
}

/** At most a few sentences: of more, one that counts them. */
export function told(news: readonly News[]): readonly News[] {
	if (news.length <= mostSentences) return news;
	const bad = news.filter(({kind}) => kind === 'error').length;
	const failed = bad === 0 ? '' : `, ${bad} of them with a failure`;
	return [{kind: bad === 0 ? 'info' : 'error', text: `${news.length} uploads and jobs have ended${failed}.`}];
}
