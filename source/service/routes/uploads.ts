import {endpoints} from '../../contract/endpoints.ts';
import {localUploadEndpoints} from '../../contract/local-upload-endpoints.ts';
import {callerOf} from '../access/caller.ts';
import {type Route, route} from '../http/route.ts';
import type {BlobIntake} from '../uploads/blob-intake.ts';
import type {FeedService} from '../uploads/upload-feed.ts';

type UploadRoutesOptions = {
	readonly intake: BlobIntake;
	readonly feed: FeedService;
	/** Where callers from other machines reach this service, where a proxy stands before it. */
	readonly publicUrl: string | undefined;
};

/** Sections 4.4 and 4.7: targets for blobs, and dismissing what failed. */
export function uploadRoutes({intake, feed, publicUrl}: UploadRoutesOptions): readonly Route[] {
	return [
		route(localUploadEndpoints.prepareUploadBatch, ({query, body}, asked) =>
			// The address that the caller used, which was checked before, is one that it can reach; a proxy used another.
			intake.prepare(
				body,
				query.upload_id,
				(callerOf(asked) && publicUrl) ?? `http://${asked.incoming.headers.host}`,
			),
		),
		route(endpoints.dismissUpload, ({parameters, body}) =>
			feed.dismiss(parameters.repo_id, body.dismissed_through_unix),
		),
	];
}
