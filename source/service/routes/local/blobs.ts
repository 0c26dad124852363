import {uploadLimits} from '../../../contract/limits.ts';
import {Refusal} from '../../host/refusal.ts';
import {type Asked, bodyOf} from '../../http/asked.ts';
import {noteKey} from '../../http/connections.ts';
import {HttpProblem, problemOf} from '../../http/http-problem.ts';
import {Reply} from '../../http/reply.ts';
import type {Route} from '../../http/route.ts';
import type {BlobIntake} from '../../uploads/blob-intake.ts';

/**
 * Reads what is left of a refused body, up to the largest blob: a caller that still sends would not see the answer.
 *
 * @returns whether that was all of it
 */
async function drop(asked: Asked): Promise<boolean> {
	let size = 0;
	try {
		for await (const piece of bodyOf(asked)) {
			size += piece.byteLength;
			if (size > uploadLimits.contentLength.max) return false;
		}
	} catch {
		// The body broke off: the caller has gone.
	}
	return true;
}

async function put(intake: BlobIntake, asked: Asked): Promise<Reply> {
	const {incoming, query, parameters} = asked;
	const length = incoming.headers['content-length'];
	try {
		const grant = await intake.granted(parameters.blob_id ?? '', query);
		// Only a caller with a key is given a target.
		noteKey(incoming.socket, 'targets');
		const announced = length === undefined ? undefined : Number(length);
		const {stored, isNew} = await intake.put(grant, announced, bodyOf(asked));
		return Reply.json(isNew ? 201 : 200, stored);
	} catch (thrown) {
		const error = thrown instanceof Refusal ? problemOf(thrown) : thrown;
		// A caller without the right to send gets no time to.
		if (error instanceof HttpProblem && error.status === 403) throw error;
		if ((await drop(asked)) || !(error instanceof HttpProblem)) throw error;
		throw new HttpProblem(error.status, error.detail, {...error.headers, connection: 'close'});
	}
}

/** `PUT /local/v1/blobs/{blob_id}`: where targets (4.4) point. Its signature is the right to call it. */
export function blobRoute(intake: BlobIntake): Route {
	return {method: 'PUT', path: '/local/v1/blobs/{blob_id}', status: 201, answer: asked => put(intake, asked)};
}
