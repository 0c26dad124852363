import * as z from 'zod';
import type {Endpoint} from '../../contract/endpoints.ts';
import type {ValidationIssue} from '../../contract/errors.ts';
import {innerSchema} from '../../contract/inner-schema.ts';
import {interpreted} from '../../contract/interpreted.ts';
import {maxJsonDepth, nestsTooDeep} from '../../contract/json-depth.ts';
import {type Asked, bodyOf} from './asked.ts';
import {HttpProblem} from './http-problem.ts';
import {validationIssues} from './validation-issues.ts';

type Part = 'parameters' | 'query' | 'body';

/** What a handler is given: each part of the request that its endpoint declares, read by its schema. */
export type Input<Declared> = {
	readonly [P in Part]: Declared extends {readonly [K in P]: infer Schema extends z.ZodType}
		? z.output<Schema>
		: undefined;
};

/** A query holds text alone; a number is read where the schema wants one and the text is one. */
function typed(schema: z.ZodType | undefined, text: string): unknown {
	if (schema && innerSchema(schema) instanceof z.ZodNumber && /^-?\d{1,15}(\.\d+)?$/.test(text))
		return Number(text);
	return text;
}

function readQuery(
	schema: z.ZodType,
	query: URLSearchParams,
): {value: Record<string, unknown>; issues: ValidationIssue[]} {
	const fields = innerSchema(schema);
	const shape = fields instanceof z.ZodObject ? (fields.shape as Record<string, z.ZodType>) : {};
	const issues: ValidationIssue[] = [];
	const entries = [...new Set(query.keys())].map(name => {
		const given = query.getAll(name);
		if (given.length > 1)
			issues.push({loc: ['query', name], msg: 'Given more than once', type: 'value_error'});
		return [name, typed(Object.hasOwn(shape, name) ? shape[name] : undefined, given[0] ?? '')];
	});
	return {value: Object.fromEntries(entries), issues};
}

/** The largest request body: an explore request with every list full of ordinary values is well below it. */
export const maxBodyBytes = 4 * 1024 * 1024;

/** How much of a body beyond the bound is read and dropped: a caller that still sends would not see the answer. */
const droppedBytes = 64 * 1024 * 1024;

async function boundedBytes(asked: Asked, largest: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	const refusal = `The body is larger than ${largest} bytes.`;
	for await (const chunk of bodyOf(asked)) {
		size += chunk.byteLength;
		if (size <= largest) chunks.push(chunk);
		if (size > droppedBytes) throw new HttpProblem(413, refusal, {connection: 'close'});
	}
	if (size > largest) throw new HttpProblem(413, refusal);
	return Buffer.concat(chunks, size);
}

async function readBody(asked: Asked, largest: number): Promise<unknown> {
	const kind = asked.incoming.headers['content-type'] ?? '';
	const bytes = await boundedBytes(asked, largest);
	if (bytes.byteLength === 0) return undefined;
	if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(kind)) {
		throw new HttpProblem(
			415,
			'The body must be JSON: send it with the header content-type: application/json.',
		);
	}
	const refuse = (reason: string) =>
		new HttpProblem(422, [
			{loc: ['body'], msg: `JSON decode error: ${reason.slice(0, 200)}`, type: 'json_invalid'},
		]);
	let text: string;
	try {
		text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
	} catch {
		throw refuse('not UTF-8');
	}
	// Where the interface takes free-form values, they are walked later on.
	if (nestsTooDeep(text)) throw refuse(`nested deeper than ${maxJsonDepth} levels`);
	try {
		return JSON.parse(text);
	} catch (error) {
		throw refuse(error instanceof Error ? error.message : String(error));
	}
}

/**
 * Reads every part of a request that the endpoint declares.
 *
 * @param largestBody in bytes
 * @throws {HttpProblem} 422 with all that is wrong in all parts, 413 for a body beyond bounds, 415 for one not called JSON
 */
export async function readInput<Declared extends Pick<Endpoint, Part>>(
	endpoint: Declared,
	asked: Asked,
	largestBody = maxBodyBytes,
): Promise<Input<Declared>> {
	const issues: ValidationIssue[] = [];
	const read = (part: string, schema: z.ZodType, value: unknown): unknown => {
		const result = schema.safeParse(value, interpreted);
		if (result.success) return result.data;
		issues.push(...validationIssues(part, result.error, value));
		return undefined;
	};
	const input: Partial<Record<Part, unknown>> = {};
	if (endpoint.parameters) input.parameters = read('path', endpoint.parameters, asked.parameters);
	if (endpoint.query) {
		const query = readQuery(endpoint.query, asked.query);
		issues.push(...query.issues);
		input.query = read('query', endpoint.query, query.value);
	}
	if (endpoint.body) input.body = read('body', endpoint.body, await readBody(asked, largestBody));
	if (issues.length > 0) throw new HttpProblem(422, issues);
	return input as Input<Declared>;
}
