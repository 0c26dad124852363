import * as z from 'zod';

/** What a schema reads where there is a value: without what makes it optional, nullable, defaulted or lazy. */
export function innerSchema(schema: z.ZodType): z.ZodType {
	let inner = schema;
	for (;;) {
		if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
			inner = inner.unwrap() as z.ZodType;
		} else if (inner instanceof z.ZodLazy) {
			// Not `unwrap()`, which makes it anew each time.
			inner = inner._zod.innerType as z.ZodType;
		} else return inner;
	}
}
