import type {Context} from 'hono';
import {uploadLimits} from '../../../contract/limits.ts';
import {HttpProblem} from '../../http/http-problem.ts';
import {jsonResponse, type Route} from '../../http/route.ts';
import type {BlobIntake} from '../../uploads/blob-intake.ts';

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A body that stays open when its reader stops: it is the connection's, on which the answer is to go out. */
function bodyOf(request: Request): AsyncIterable<Uint8Array> {
	return request.body?.values({preventCancel: true}) ?? nothing();
}

/** Reads what is left of a refused body, up to the largest blob: a caller that still sends would not see the answer. */
async function drop(request: Request): Promise<void> {
	let size = 0;
	try {
		for await (const piece of bodyOf(request)) {
			size += piece.byteLength;
			if (size > uploadLimits.contentLength.max) return;
		}
	} catch {
		// It broke off: nobody waits for the answer.
	}
}

async function put(intake: BlobIntake, c: Context): Promise<Response> {
	const length = c.req.header('content-length');
	const query = new URL(c.req.url).searchParams;
	const blobId = c.req.param('blob_id') ?? '';
	try {
		const announced = length === undefined ? undefined : Number(length);
		const {stored, isNew} = await intake.put(blobId, query, announced, bodyOf(c.req.raw));
		return jsonResponse(isNew ? 201 : 200, stored);
	} catch (error) {
		// Who has no right to send gets no time to.
		if (!(error instanceof HttpProblem) || error.status !== 403) await drop(c.req.raw);
		throw error;
	}
}

/** `PUT /local/v1/blobs/{blob_id}`: where targets (4.4) point. Its signature is the right to call it. */
export function blobRoute(intake: BlobIntake): Route {
	return {method: 'PUT', path: '/local/v1/blobs/{blob_id}', status: 201, answer: c => put(intake, c)};
}
