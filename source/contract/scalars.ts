import * as z from 'zod';

/**
 * The scalar types of the interface document's field tables.
 *
 * Its integer maxima are doubles printed in decimal (2^64 became 18446744073709552000), so a value above 2^53
 * reaches a schema as a bigint: the client reads JSON without losing digits.
 */

/** The document's maximum of an unsigned 64-bit count, as it prints it. */
export const maxCount = 18_446_744_073_709_552_000n;

/** The document's maximum of a signed 64-bit ordinal, as it prints it. */
export const maxOrdinal = 9_223_372_036_854_776_000n;

/** The document's maximum of an unsigned 32-bit index. */
export const maxIndex = 4_294_967_295;

/** The document's maximum of a signed 32-bit index. */
export const maxSignedIndex = 2_147_483_647;

/** A 64-bit integer: a number while that is exact, a bigint beyond. */
export type Count = number | bigint;

/**
 * How a schema's values stand in JSON, as JSON Schema, where the schema itself does not tell: the service describes
 * itself from it.
 */
type Wire = {readonly wire: Readonly<Record<string, unknown>>};

type Bounds = {readonly min?: bigint; readonly max: bigint};

/** By bounds: few occur, in many fields, and a schema of eight parts for each field took a tenth of all the contract's. */
const integers = new Map<string, z.ZodType<Count, Count>>();

/** An integer of up to 64 bits between inclusive bounds; without a minimum any negative one passes. */
export function integer(bounds: Bounds): z.ZodType<Count, Count> {
	const key = `${bounds.min} ${bounds.max}`;
	const known = integers.get(key) ?? integerWithin(bounds);
	integers.set(key, known);
	return known;
}

function integerWithin(bounds: Bounds): z.ZodType<Count, Count> {
	const minimum = bounds.min === undefined ? {} : {minimum: Number(bounds.min)};
	return z
		.union([z.int(), z.bigint()], {error: 'must be an integer'})
		.refine(value => value <= bounds.max, {error: `must be at most ${bounds.max}`})
		.refine(value => bounds.min === undefined || value >= bounds.min, {
			error: `must be at least ${bounds.min}`,
		})
		.meta({wire: {type: 'integer', ...minimum, maximum: Number(bounds.max)}} satisfies Wire);
}

/** A whole number that a double holds exactly, with at most a maximum. */
export function smallInteger(max: number): z.ZodInt {
	return z.int().max(max);
}

/** A finite number; one written as a huge integer literal arrives as a bigint and is rounded to a double. */
export const real = z.union([z.number(), z.bigint().transform(Number)]).meta({
	wire: {type: 'number'},
} satisfies Wire);

/** A UUID of any version and variant: the document says no more than "uuid". */
export const uuid = z.guid().meta({wire: {type: 'string', format: 'uuid'}} satisfies Wire);

/** An ISO 8601 date and time; the zone may be absent, as some services leave it out. */
export const dateTime = z.iso
	.datetime({offset: true, local: true})
	.meta({wire: {type: 'string', format: 'date-time'}} satisfies Wire);

/** An object of free-form values with at most `max` properties. */
export function freeForm(max?: number): z.ZodType<Record<string, unknown>, Record<string, unknown>> {
	// Passed through as it is: a record would be copied, and the copy lacks a property named __proto__.
	const object = z.custom<Record<string, unknown>>(
		value => typeof value === 'object' && value !== null && !Array.isArray(value),
		{error: 'must be an object'},
	);
	if (max === undefined) return object.meta({wire: {type: 'object'}} satisfies Wire);
	return object
		.refine(value => Object.keys(value).length <= max, {error: `must have at most ${max} properties`})
		.meta({wire: {type: 'object', maxProperties: max}} satisfies Wire);
}

/** 64 lowercase hexadecimal digits. */
export const sha256Hex = z
	.string()
	.regex(/^[0-9a-f]{64}$/, {error: 'must be 64 lowercase hexadecimal digits'});

/** Text with no length the document bounds. In responses this also stands for an enumeration, which may gain values. */
export const openText = z.string();
