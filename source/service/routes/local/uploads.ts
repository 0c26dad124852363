import {localUploadEndpoints} from '../../../contract/local-upload-endpoints.ts';
import {type MissingBlobs, manifestLimits} from '../../../contract/local-uploads.ts';
import {Reply} from '../../http/reply.ts';
import {type Route, route} from '../../http/route.ts';
import type {FeedService} from '../../uploads/upload-feed.ts';
import type {Uploads} from '../../uploads/uploads.ts';

function missingAnswer(missing: readonly string[], closed: readonly string[]): Reply {
	const blobs = missing.length === 1 ? '1 blob is' : `${missing.length} blobs are`;
	const body: MissingBlobs = {
		detail: `${blobs} not stored yet: send what "missing" names, and commit again.${closedWords(closed)}`,
		missing: [...missing],
	};
	return Reply.json(409, body);
}

function closedWords([first, ...others]: readonly string[]): string {
	if (first === undefined) return '';
	const more = others.length === 0 ? '' : ` and ${others.length} more`;
	return ` Blob ${first}${more} came in an envelope that is neither gzip nor zstd of at most 32 MiB, so its content is not known: send it as it is, with envelope_sha256 equal to blob_id, or as gzip or zstd.`;
}

/** `/local/v1/uploads`: starting, committing, cancelling and listing uploads. */
export function localUploadRoutes({uploads, feed}: {uploads: Uploads; feed: FeedService}): readonly Route[] {
	return [
		route(
			localUploadEndpoints.startUpload,
			async ({body}) => {
				const {upload, isNew} = await uploads.start(body);
				return Reply.json(isNew ? 201 : 200, feed.recordOf(upload));
			},
			201,
		),
		route(localUploadEndpoints.listUploads, ({query}) => ({items: feed.list(query.all === 'true')})),
		route(localUploadEndpoints.upload, ({parameters}) => feed.get(parameters.upload_id)),
		route(
			localUploadEndpoints.commitUpload,
			async ({parameters, body}) => {
				const commit = await uploads.commit(parameters.upload_id, body.manifest);
				return commit.kind === 'committed' ? commit.response : missingAnswer(commit.missing, commit.closed);
			},
			202,
			{largestBody: manifestLimits.bodyBytes},
		),
		route(localUploadEndpoints.cancelUpload, ({parameters}) =>
			feed.recordOf(uploads.cancel(parameters.upload_id)),
		),
	];
}
