import * as z from 'zod';
import type {Endpoint} from '../../contract/endpoints.ts';
import type {ValidationIssue} from '../../contract/errors.ts';
import {maxJsonDepth, nestsTooDeep} from '../../contract/json-depth.ts';
import {innerSchema, interpreted} from '../../contract/tolerance.ts';
import {type Asked, bodyOf} from './asked.ts';
import {HttpProblem} from './http-problem.ts';

type Part = 'parameters' | 'query' | 'body';

/** The input of a handler: each part of the request that its endpoint declares, read by its schema. */
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

type Issue = z.core.$ZodIssue;
type Wording = Pick<ValidationIssue, 'msg' | 'type' | 'ctx'>;

/** The longest text, and the only kinds of value, that are sent back as the `input` of an issue. */
const longestInput = 256;

const kinds: Record<string, Wording> = {
	string: {msg: 'Input should be a valid string', type: 'string_type'},
	int: {msg: 'Input should be a valid integer', type: 'int_type'},
	number: {msg: 'Input should be a valid number', type: 'float_type'},
	boolean: {msg: 'Input should be a valid boolean', type: 'bool_type'},
	array: {msg: 'Input should be a valid list', type: 'list_type'},
	object: {msg: 'Input should be a valid object', type: 'dict_type'},
	record: {msg: 'Input should be a valid object', type: 'dict_type'},
};

function sized(issue: Extract<Issue, {code: 'too_big' | 'too_small'}>): Wording {
	const most = issue.code === 'too_big';
	const bound = Number(most ? issue.maximum : issue.minimum);
	if (issue.origin === 'string') {
		const ctx = most ? {max_length: bound} : {min_length: bound};
		const type = most ? 'string_too_long' : 'string_too_short';
		return {msg: `String should have at ${most ? 'most' : 'least'} ${bound} characters`, type, ctx};
	}
	if (issue.origin === 'array') {
		const ctx = most ? {max_length: bound} : {min_length: bound};
		return {
			msg: `List should have at ${most ? 'most' : 'least'} ${bound} items`,
			type: most ? 'too_long' : 'too_short',
			ctx,
		};
	}
	const side = most ? 'less' : 'greater';
	const short = most ? 'l' : 'g';
	return issue.inclusive === false
		? {msg: `Input should be ${side} than ${bound}`, type: `${side}_than`, ctx: {[`${short}t`]: bound}}
		: {
				msg: `Input should be ${side} than or equal to ${bound}`,
				type: `${side}_than_equal`,
				ctx: {[`${short}e`]: bound},
			};
}

function worded(issue: Issue, input: unknown): Wording {
	if (input === undefined && issue.code !== 'unrecognized_keys')
		return {msg: 'Field required', type: 'missing'};
	switch (issue.code) {
		case 'invalid_type':
			return kinds[issue.expected] ?? {msg: issue.message, type: 'type_error'};
		case 'too_big':
		case 'too_small':
			return sized(issue);
		case 'invalid_value': {
			const expected = issue.values.map(value => `'${String(value)}'`).join(', ');
			return {msg: `Input should be one of ${expected}`, type: 'enum', ctx: {expected}};
		}
		case 'invalid_format':
			return issue.format === 'guid' || issue.format === 'uuid'
				? {
						msg: 'Input should be a valid UUID',
						type: 'uuid_parsing',
						ctx: {error: 'not 32 hexadecimal digits in the form 8-4-4-4-12'},
					}
				: {msg: `Value ${issue.message.replace(/^Invalid/, 'is invalid')}`, type: 'value_error'};
		default:
			return {msg: `Value ${issue.message}`, type: 'value_error'};
	}
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>(
		(at, step) =>
			typeof at === 'object' && at !== null && Object.hasOwn(at, step)
				? (at as Record<PropertyKey, unknown>)[step]
				: undefined,
		value,
	);
}

/** The part of a value that goes back to the caller: lists, objects and long texts are left out, never shortened. */
function shown(input: unknown): Pick<ValidationIssue, 'input'> {
	const scalar = input === null || typeof input === 'number' || typeof input === 'boolean';
	const short = typeof input === 'string' && input.length <= longestInput;
	return scalar || short ? {input} : {};
}

const steps = (path: readonly PropertyKey[]) =>
	path.map(step => (typeof step === 'number' ? step : String(step)));

/**
 * The issues that zod found in one part of a request, in the shape of section 7 and the words of the services that
 * use it.
 *
 * @param part where in the request the value stood: `body`, `query` or `path`
 */
function validationIssues(part: string, error: z.ZodError, value: unknown): ValidationIssue[] {
	return error.issues.flatMap(issue => {
		const at = valueAt(value, issue.path);
		if (issue.code === 'unrecognized_keys') {
			return issue.keys.map(key => ({
				loc: [part, ...steps(issue.path), key],
				msg: 'Extra inputs are not permitted',
				type: 'extra_forbidden',
				...shown(valueAt(at, [key])),
			}));
		}
		return [{loc: [part, ...steps(issue.path)], ...worded(issue, at), ...shown(at)}];
	});
}
