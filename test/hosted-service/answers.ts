import type {ServerResponse} from 'node:http';

/** A handler's answer: a JSON body, or a stream that writes to the response itself. */
export type Answer = JsonAnswer | StreamAnswer;

export type JsonAnswer = {status: number; headers?: Record<string, string>; json: unknown};

export type StreamAnswer = {stream: (response: ServerResponse) => void};

/** One place of a validation error response (section 7), in FastAPI's words. */
export type Issue = {
	loc: Array<string | number>;
	msg: string;
	type: string;
	input?: unknown;
	ctx?: Record<string, unknown>;
};

/** A request the service turns down; it becomes the error response of section 7. */
export class Refusal extends Error {
	readonly answer: JsonAnswer;

	constructor(status: number, detail: string | Issue[], headers?: Record<string, string>) {
		super(typeof detail === 'string' ? detail : `${detail.length} validation issues`);
		this.answer = {status, json: {detail}, ...(headers ? {headers} : {})};
	}
}

export const ok = (json: unknown, status = 200): JsonAnswer => ({status, json});

/** JSON text in which a bigint is an integer literal: several fields of the document go to 2^64. */
export function printJson(value: unknown): string {
	return JSON.stringify(value, (_key, part: unknown) =>
		typeof part === 'bigint' ? rawJson(part.toString()) : part,
	);
}

const {rawJSON: rawJson} = JSON as JSON & {rawJSON(text: string): unknown};
