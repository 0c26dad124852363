import {expect, test} from 'vitest';
import type {z} from 'zod';

/** Stands for a field that is left out. */
export const absent = Symbol('absent');

/** A field (dots lead inwards), what the document says of it, a value just inside and one just outside. */
export type Bound = readonly [field: string, says: string, inside: unknown, outside: unknown];

/** What one table of the document describes: its section, the schema that speaks for it and a whole example. */
export type Subject = {section: string; schema: z.ZodType; example: object};

/**
 * One test a bound: the example with the value inside is read, the one outside refused at that very field, in words
 * that hold the bound where it is a figure.
 */
export function holdBounds({section, schema, example}: Subject, bounds: readonly Bound[]): void {
	test.each(bounds)(`${section} %s: %s`, (field, says, inside, outside) => {
		expect(brokenFields(schema, withField(example, field, inside))).toEqual([]);
		const {issues = []} = schema.safeParse(withField(example, field, outside)).error ?? {};
		expect(issues.length).toBeGreaterThan(0);
		const [, figure] = /(?:at most |at least |^)(\d+)/.exec(says) ?? [];
		for (const {path, message} of issues) {
			expect(`${path.join('.')}.`.startsWith(`${field}.`)).toBe(true);
			if (figure) expect(message).toMatch(new RegExp(`(?<!\\d)${figure}(?!\\d)`));
		}
	});
}

/** One test a field that must be there, and one a field that may be left out. */
export function holdPresence(
	{section, schema, example}: Subject,
	{required, optional}: {required: readonly string[]; optional: readonly string[]},
): void {
	if (required.length > 0)
		test.each(required)(`${section} %s: required`, field => {
			expect(brokenFields(schema, withField(example, field, absent))).toEqual([field]);
		});
	if (optional.length > 0)
		test.each(optional)(`${section} %s: may be left out`, field => {
			expect(brokenFields(schema, withField(example, field, absent))).toEqual([]);
		});
}

/** One test a field: `null` is read where the document says "or null", and refused elsewhere. */
export function holdNulls(
	{section, schema, example}: Subject,
	{nullable, notNull}: {nullable: readonly string[]; notNull: readonly string[]},
): void {
	if (nullable.length > 0)
		test.each(nullable)(`${section} %s: may be null`, field => {
			expect(brokenFields(schema, withField(example, field, null))).toEqual([]);
		});
	if (notNull.length > 0)
		test.each(notNull)(`${section} %s: is never null`, field => {
			expect(brokenFields(schema, withField(example, field, null))).toEqual([field]);
		});
}

/** One test a field: a response may say `null` for what it leaves out, though the document does not. */
export function holdAbsentAsNull({section, schema, example}: Subject, fields: readonly string[]): void {
	test.each(fields)(`${section} %s: null is taken for left out`, field => {
		expect(brokenFields(schema, withField(example, field, null))).toEqual([]);
	});
}

/** One test that a field the document does not know is refused: in a request it is a slip of the pen. */
export function holdStrict({section, schema, example}: Subject, inner?: string): void {
	test(`${section}${inner ? ` ${inner}` : ''}: a field the document does not know is refused`, () => {
		const field = inner ? `${inner}.unheard_of` : 'unheard_of';
		const {issues = []} = schema.safeParse(withField(example, field, 1)).error ?? {};
		expect(issues).toMatchObject([{code: 'unrecognized_keys', keys: ['unheard_of']}]);
		expect(issues[0]?.path.join('.')).toBe(inner ?? '');
	});
}

/** One test a value of an enumeration, and one that a request refuses and a response keeps any other. */
export function holdChoices(
	{section, schema, example}: Subject,
	field: string,
	values: readonly string[],
	{open}: {open: boolean},
): void {
	test.each(values)(`${section} ${field}: takes '%s'`, value => {
		expect(brokenFields(schema, withField(example, field, value))).toEqual([]);
	});
	test(`${section} ${field}: ${open ? 'keeps' : 'refuses'} a value that is not listed`, () => {
		const other = withField(example, field, 'unheard_of');
		expect(brokenFields(schema, other)).toEqual(open ? [] : [field]);
		if (open) expect(schema.parse(other)).toMatchObject(other);
	});
}

/** One test a default: what the schema reads when the field is left out. */
export function holdDefaults(
	{section, schema, example}: Subject,
	defaults: ReadonlyArray<readonly [field: string, value: unknown]>,
): void {
	test.each(defaults)(`${section} %s: default %j`, (field, value) => {
		const read = schema.parse(withField(example, field, absent));
		expect(valueAt(read, field)).toEqual(value);
	});
}

/** The example with one field changed or left out; the example itself stays as it is. */
export function withField(example: object, field: string, value: unknown): object {
	const copy: object = structuredClone(example);
	const steps = field.split('.');
	const last = steps.pop() ?? '';
	const owner = valueAt(copy, steps.join('.')) as Record<string, unknown>;
	if (value === absent) delete owner[last];
	else owner[last] = value;
	return copy;
}

/** The fields that a schema finds fault with, dotted; none where it reads the value. */
export function brokenFields(schema: z.ZodType, value: unknown): string[] {
	const read = schema.safeParse(value);
	return read.success ? [] : [...new Set(read.error.issues.map(({path}) => path.join('.')))];
}

function valueAt(value: unknown, field: string): unknown {
	if (field === '') return value;
	return field.split('.').reduce<unknown>((owner, step) => (owner as Record<string, unknown>)[step], value);
}
