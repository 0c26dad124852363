import {type Issue, Refusal} from './answers.ts';

type Location = Array<string | number>;

const invalid = Symbol('invalid');

/** Reads one value; faults go to `issues`, in FastAPI's words. */
export type Reader<T> = (value: unknown, place: Location, issues: Issue[]) => T | typeof invalid;

export type Field<T> = {read: Reader<T>; required: boolean; fallback?: T};

type Fields = Record<string, Field<unknown>>;

export type Read<F extends Fields> = {[K in keyof F]: F[K] extends Field<infer T> ? T : never};

type Bounds = {gt?: number; ge?: number; le?: number};

/** Reads a whole part of a request or refuses it with 422 and every issue found. */
export function demand<T>(read: Reader<T>, value: unknown, place: Location): T {
	const issues: Issue[] = [];
	const result = read(value, place, issues);
	if (result === invalid) throw new Refusal(422, issues);
	return result;
}

export const required = <T>(read: Reader<T>): Field<T> => ({read, required: true});

/** A field that may be left out; left out, it reads as `fallback`. */
export const optional = <T>(read: Reader<T>, fallback: T): Field<T> => ({read, required: false, fallback});

export function object<F extends Fields>(fields: F): Reader<Read<F>> {
	return (value, place, issues) => {
		if (!isObject(value)) {
			const msg = 'Input should be a valid dictionary or object to extract fields from';
			return fail(issues, {type: 'model_attributes_type', loc: place, msg, input: value});
		}
		const result: Record<string, unknown> = {};
		let whole = true;
		for (const [name, field] of Object.entries(fields)) {
			const given = Object.hasOwn(value, name) ? value[name] : undefined;
			if (given !== undefined) result[name] = field.read(given, [...place, name], issues);
			else if (field.required)
				result[name] = fail(issues, {
					type: 'missing',
					loc: [...place, name],
					msg: 'Field required',
					input: value,
				});
			else result[name] = field.fallback;
			if (result[name] === invalid) whole = false;
		}
		return whole ? (result as Read<F>) : invalid;
	};
}

export const freeForm: Reader<Record<string, unknown>> = (value, loc, issues) =>
	isObject(value)
		? value
		: fail(issues, {type: 'dict_type', loc, msg: 'Input should be a valid dictionary', input: value});

export const textMap: Reader<Record<string, string>> = (value, place, issues) => {
	const map = freeForm(value, place, issues);
	if (map === invalid) return invalid;
	const entries = Object.entries(map).map(([name, part]) => [name, text()(part, [...place, name], issues)]);
	return entries.some(([, part]) => part === invalid) ? invalid : Object.fromEntries(entries);
};

export function list<T>(item: Reader<T>, {min = 0, max}: {min?: number; max: number}): Reader<T[]> {
	return (value, place, issues) => {
		if (!Array.isArray(value))
			return fail(issues, {
				type: 'list_type',
				loc: place,
				msg: 'Input should be a valid list',
				input: value,
			});
		const count = value.length;
		if (count > max) {
			const msg = `List should have at most ${max} items after validation, not ${count}`;
			const ctx = {field_type: 'List', max_length: max, actual_length: count};
			return fail(issues, {type: 'too_long', loc: place, msg, input: value, ctx});
		}
		if (count < min) {
			const msg = `List should have at least ${min} item after validation, not ${count}`;
			const ctx = {field_type: 'List', min_length: min, actual_length: count};
			return fail(issues, {type: 'too_short', loc: place, msg, input: value, ctx});
		}
		const items = value.map((part, position) => item(part, [...place, position], issues));
		return items.includes(invalid) ? invalid : (items as T[]);
	};
}

export function text({max, pattern}: {max?: number; pattern?: RegExp} = {}): Reader<string> {
	return (value, loc, issues) => {
		if (typeof value !== 'string')
			return fail(issues, {type: 'string_type', loc, msg: 'Input should be a valid string', input: value});
		if (max !== undefined && [...value].length > max) {
			const msg = `String should have at most ${max} characters`;
			return fail(issues, {type: 'string_too_long', loc, msg, input: value, ctx: {max_length: max}});
		}
		if (pattern && !pattern.test(value)) {
			const msg = `String should match pattern '${pattern.source}'`;
			return fail(issues, {
				type: 'string_pattern_mismatch',
				loc,
				msg,
				input: value,
				ctx: {pattern: pattern.source},
			});
		}
		return value;
	};
}

export function choice<const V extends string>(values: readonly V[]): Reader<V> {
	return (value, loc, issues) => {
		const found = values.find(candidate => candidate === value);
		if (found !== undefined) return found;
		const quoted = values.map(candidate => `'${candidate}'`);
		const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` : quoted[0];
		const msg = `Input should be ${expected}`;
		return fail(issues, {type: 'literal_error', loc, msg, input: value, ctx: {expected}});
	};
}

export function number(bounds: Bounds = {}): Reader<number> {
	return (value, loc, issues) =>
		typeof value === 'number'
			? within(value, bounds, loc, issues)
			: fail(issues, {type: 'float_type', loc, msg: 'Input should be a valid number', input: value});
}

export function integer(bounds: Bounds = {}): Reader<number> {
	return (value, loc, issues) =>
		typeof value === 'number' && Number.isInteger(value)
			? within(value, bounds, loc, issues)
			: fail(issues, {type: 'int_type', loc, msg: 'Input should be a valid integer', input: value});
}

/** An integer as a query string spells it. */
export function integerText(bounds: Bounds = {}): Reader<number> {
	return (value, loc, issues) => {
		if (typeof value === 'string' && /^[+-]?\d+$/.test(value))
			return within(Number(value), bounds, loc, issues);
		const msg = 'Input should be a valid integer, unable to parse string as an integer';
		return fail(issues, {type: 'int_parsing', loc, msg, input: value});
	};
}

export const boolean: Reader<boolean> = (value, loc, issues) =>
	typeof value === 'boolean'
		? value
		: fail(issues, {type: 'bool_type', loc, msg: 'Input should be a valid boolean', input: value});

export const uuid: Reader<string> = (value, loc, issues) =>
	typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
		? value.toLowerCase()
		: fail(issues, {type: 'uuid_parsing', loc, msg: 'Input should be a valid UUID', input: value});

export const nullable =
	<T>(read: Reader<T>): Reader<T | null> =>
	(value, place, issues) =>
		value === null ? null : read(value, place, issues);

function within(value: number, bounds: Bounds, loc: Location, issues: Issue[]): number | typeof invalid {
	const {gt, ge, le} = bounds;
	if (gt !== undefined && value <= gt) {
		const msg = `Input should be greater than ${gt}`;
		return fail(issues, {type: 'greater_than', loc, msg, input: value, ctx: {gt}});
	}
	if (ge !== undefined && value < ge) {
		const msg = `Input should be greater than or equal to ${ge}`;
		return fail(issues, {type: 'greater_than_equal', loc, msg, input: value, ctx: {ge}});
	}
	if (le !== undefined && value > le) {
		const msg = `Input should be less than or equal to ${le}`;
		return fail(issues, {type: 'less_than_equal', loc, msg, input: value, ctx: {le}});
	}
	return value;
}

function fail(issues: Issue[], issue: Issue): typeof invalid {
	issues.push(issue);
	return invalid;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
