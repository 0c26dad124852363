import {endpoints} from '../../contract/endpoints.ts';
import {localUploadEndpoints} from '../../contract/local-upload-endpoints.ts';
import {type Route, route} from '../http/route.ts';
import type {BlobIntake} from '../uploads/blob-intake.ts';
import type {FeedKeeper} from '../uploads/feed-keeper.ts';

/** Sections 4.4 and 4.7: targets for blobs, and dismissing what failed. */
export function uploadRoutes({intake, feed}: {intake: BlobIntake; feed: FeedKeeper}): readonly Route[] {
	return [
		route(localUploadEndpoints.prepareUploadBatch, ({query, body}, c) =>
			// The address that the caller used, which was checked before, is one that it can reach.
			intake.prepare(body, query.upload_id, `http://${c.req.header('host')}`),
		),
		route(endpoints.dismissUpload, ({parameters, body}) =>
			feed.dismiss(parameters.repo_id, body.dismissed_through_unix),
		),
	];
}
