import * as z from 'zod';

/** Section 7, the standard error. */
export const errorResponse = z.looseObject({detail: z.string()});

/** Section 7: one thing wrong with a request, and where in it. */
const validationIssue = z.lazy(() =>
	z.looseObject({
		loc: z.array(z.union([z.string(), z.int()])),
		msg: z.string(),
		type: z.string(),
		input: z.unknown().optional(),
		ctx: z.record(z.string(), z.unknown()).nullish(),
	}),
);
export type ValidationIssue = z.output<typeof validationIssue>;

/** Section 7, the validation error. */
export const validationErrorResponse = z.looseObject({detail: z.array(validationIssue)});
