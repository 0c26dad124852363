import * as z from 'zod';
import {freeForm, uuid} from './scalars.ts';

/** Section 4.12: "A request body is required; its fields: not shown." */
export const projectRequest = freeForm();

/** Section 2.12. */
export const projectCreated = z.looseObject({created: z.boolean(), project_id: uuid});
export type ProjectCreated = z.output<typeof projectCreated>;

/** Text that can be kept and given back exactly: UTF-8 has no form for half a surrogate pair. */
const storable = (schema: z.ZodString) =>
	schema.refine(text => text.isWellFormed(), {error: 'must not contain half a surrogate pair'});

/**
 * The body of `POST /v1/projects` (4.12) as the embedded service takes it; the document leaves its fields open. A
 * project is known by its name: creating one whose name exists gives the existing id, with `created` false.
 */
export const ownProjectRequest = z.lazy(() =>
	z.strictObject({
		name: storable(z.string().min(1).max(255).regex(/\S/, {error: 'must not be blank'})),
		description: storable(z.string().max(4096)).optional(),
	}),
);
