import type {ServerResponse} from 'node:http';
import {exactJson} from '../../contract/json-text.ts';
import type {HttpProblem} from './http-problem.ts';

type Headers = Readonly<Record<string, string>>;

/** An answer that has not been sent yet. */
export class Reply {
	readonly status: number;
	readonly headers: Headers;
	readonly #body: string | ((outgoing: ServerResponse) => unknown);

	/** @param body its text, or what writes it and ends the response, however long that takes */
	constructor(status: number, headers: Headers, body: string | ((outgoing: ServerResponse) => unknown)) {
		this.status = status;
		this.headers = headers;
		this.#body = body;
	}

	static json(status: number, value: unknown, headers: Headers = {}): Reply {
		return new Reply(status, {'content-type': 'application/json', ...headers}, exactJson(value));
	}

	/** A refusal in the shape of section 7. */
	static problem({status, detail, headers}: HttpProblem, more: Headers = {}): Reply {
		return Reply.json(status, {detail}, {...headers, ...more});
	}

	/** Node leaves the body of an answer to HEAD out by itself, where it is text. */
	send(outgoing: ServerResponse): void {
		const body = this.#body;
		if (typeof body === 'string') {
			outgoing.writeHead(this.status, {...this.headers, 'content-length': Buffer.byteLength(body)}).end(body);
			return;
		}
		outgoing.writeHead(this.status, this.headers).flushHeaders();
		if (outgoing.req.method === 'HEAD') outgoing.end();
		else body(outgoing);
	}
}
