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

/**
 * One thing wrong with a field of a request, wherever that was found: by a form, by the contract, by the service. The
 * field is named as the request names it: `hours`, `camera_mappings.front`, `numeric_predicates.3.value`; it is empty
 * where no field is named.
 */
export type FieldProblem = {readonly field: string; readonly message: string};

/** An issue of a validation error, at the field of the request's body that it names. */
export function fieldProblem({loc, msg}: Pick<ValidationIssue, 'loc' | 'msg'>): FieldProblem {
	const field = loc.filter((step, place) => place > 0 || step !== 'body').join('.');
	return {field, message: msg};
}

/** Section 7, the validation error. */
export const validationErrorResponse = z.looseObject({detail: z.array(validationIssue)});
