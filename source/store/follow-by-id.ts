import type {JobsFeed} from './jobs/jobs-feed.ts';
import {exampleId, isId} from './queries/link.ts';
import type {ListId} from './state/list-location.ts';
import type {UploadFeed} from './uploads/upload-feed.ts';

type Feeds = {readonly uploads: Pick<UploadFeed, 'follow'>; readonly jobs: Pick<JobsFeed, 'follow'>};

/**
 * Follows something by the id that a hand typed.
 *
 * @returns why not, in a sentence.
 */
export function followById({uploads, jobs}: Feeds, list: ListId, text: string): string | undefined {
	const id = text.trim().toLowerCase();
	if (!isId(id)) {
		return `"${text.trim()}" is no id: ids look like ${exampleId}.`;
	}
	if (list === 'uploads') uploads.follow(id);
	if (list === 'jobs') jobs.follow(id);
	return undefined;
}
