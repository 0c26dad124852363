import {createHash, randomUUID} from 'node:crypto';
import {ok, Refusal} from './answers.ts';
import type {Handler} from './calls.ts';
import {checkAccount, jsonBody, pathUuid} from './parts.ts';
import {integer, list, object, optional, required, text} from './validation.ts';

const digest = required(text({pattern: /^[0-9a-f]{64}$/}));

const prepareRequest = object({
	blobs: required(
		list(
			object({
				blob_id: digest,
				envelope_sha256: digest,
				content_length: required(integer({ge: 1, le: 33_554_432})),
			}),
			{min: 1, max: 128},
		),
	),
	ttl_seconds: optional(integer({ge: 60, le: 3600}), 300),
});

/** The document does not show the answer: here one target a blob, each a PUT within its time. */
export const prepareBatch: Handler = call => {
	const {blobs, ttl_seconds} = jsonBody(call, prepareRequest);
	const expires_at = Date.now() + ttl_seconds * 1000;
	const targets = blobs.map(blob => {
		const token = randomUUID();
		call.state.targets.set(token, {...blob, expires_at});
		return {blob_id: blob.blob_id, method: 'PUT', url: `${call.origin}/upload-targets/${token}`};
	});
	return ok({targets});
};

export const receiveBlob: Handler = ({params, bytes, state}) => {
	const target = state.targets.get(params.token ?? '');
	if (!target || target.expires_at < Date.now()) throw new Refusal(403, 'Unknown or expired upload target');
	const sum = createHash('sha256').update(bytes).digest('hex');
	if (bytes.length !== target.content_length || sum !== target.envelope_sha256)
		throw new Refusal(400, 'The blob is not what was announced');
	target.received = bytes;
	return ok({});
};

const livePhases = ['preparing', 'publishing'];

/** Section 3, item 3: a live attempt is never suppressed, and answers with its phase. */
export const dismissUpload: Handler = call => {
	checkAccount(call);
	const {dismissed_through_unix} = jsonBody(
		call,
		object({dismissed_through_unix: optional(integer({ge: 0}), 0)}),
	);
	const upload = call.state.uploads.get(pathUuid(call, 'repo_id'));
	if (!upload) throw new Refusal(404, 'Unknown repo');
	if (!livePhases.includes(upload.phase))
		upload.dismissed_through_unix = Math.max(upload.dismissed_through_unix, dismissed_through_unix);
	return ok({phase: upload.phase});
};
