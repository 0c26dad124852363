import type {JobsFeed} from './jobs/jobs-feed.ts';
import type {ListId} from './list-place.ts';
import type {UploadFeed} from './uploads/upload-feed.ts';

type Feeds = {readonly uploads: Pick<UploadFeed, 'follow'>; readonly jobs: Pick<JobsFeed, 'follow'>};

const uuidText = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Follows something by the id that a hand typed.
 *
 * @returns why not, in a sentence.
 */
export function followById({uploads, jobs}: Feeds, list: ListId, text: string): string | undefined {
	const id = text.trim().toLowerCase();
	if (!uuidText.test(id)) {
		return `"${text.trim()}" is no id: ids look like 0190c3a1-7b1e-7c3d-9a55-2f1f0f5e7a10.`;
	}
	if (list === 'uploads') uploads.follow(id);
	if (list === 'jobs') jobs.follow(id);
	return undefined;
}
