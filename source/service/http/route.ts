import {accountQuery, type Endpoint} from '../../contract/endpoints.ts';
import {accountId} from '../host/identity.ts';
import {type Asked, noteOutcome} from './asked.ts';
import {HttpProblem} from './http-problem.ts';
import {Reply} from './reply.ts';
import {type Input, readInput} from './request-input.ts';

/** One method of one path, with what answers it. */
export type Route = {
	readonly method: 'GET' | 'POST' | 'PUT';
	/** Path parameters stand in braces, as the interface document writes them. */
	readonly path: string;
	/** Of its success. */
	readonly status?: number;
	readonly answer: (asked: Asked) => Promise<Reply>;
};

type Declared = Pick<Endpoint, 'method' | 'path' | 'parameters' | 'query' | 'body'>;

/** An embedded service has one account; a call for another one is refused rather than answered with the wrong data. */
function checkAccount(wanted: string | null): void {
	if (wanted === null || wanted.toLowerCase() === accountId) return;
	throw new HttpProblem(
		403,
		`This is the embedded service of one machine: it has no account ${wanted}. Leave account_id out, or give its own, ${accountId}.`,
	);
}

const idNames = ['job_id', 'operation_id', 'project_id', 'upload_id'] as const;

/** Notes the id of what a request began or changed. */
function noteId(asked: Asked, result: unknown): void {
	const answer = (result ?? {}) as Record<string, unknown>;
	const name = idNames.find(each => typeof answer[each] === 'string');
	if (name !== undefined) noteOutcome(asked, `${name}=${answer[name]}`);
}

/**
 * A route whose request is read and checked as its endpoint declares, and whose handler's result is written as JSON.
 * A handler that gives a Reply has it sent as it is.
 *
 * @param largestBody in bytes, where it is not the usual
 */
export function route<D extends Declared>(
	endpoint: D,
	handler: (input: Input<D>, asked: Asked) => unknown,
	status = 200,
	{largestBody}: {largestBody?: number} = {},
): Route {
	const {method, path} = endpoint;
	return {
		method,
		path,
		status,
		answer: async asked => {
			const input = await readInput(endpoint, asked, largestBody);
			if (endpoint.query === accountQuery) checkAccount(asked.query.get('account_id'));
			const result = await handler(input, asked);
			if (endpoint.method !== 'GET') noteId(asked, result);
			return result instanceof Reply ? result : Reply.json(status, result);
		},
	};
}
