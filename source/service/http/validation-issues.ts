import type {z} from 'zod';
import type {ValidationIssue} from '../../contract/errors.ts';

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

/** What of a value can go back: whole lists and objects, and long texts, are left out, never shortened. */
function shown(input: unknown): Pick<ValidationIssue, 'input'> {
	const scalar = input === null || typeof input === 'number' || typeof input === 'boolean';
	const short = typeof input === 'string' && input.length <= longestInput;
	return scalar || short ? {input} : {};
}

const steps = (path: readonly PropertyKey[]) =>
	path.map(step => (typeof step === 'number' ? step : String(step)));

/**
 * What zod found wrong with one part of a request, in the shape of section 7 and the words of the services that
 * use it.
 *
 * @param part where in the request the value stood: `body`, `query` or `path`
 */
export function validationIssues(part: string, error: z.ZodError, value: unknown): ValidationIssue[] {
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
