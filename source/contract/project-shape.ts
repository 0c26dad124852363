import * as z from 'zod';

/**
 * The body of `POST /v1/projects` (4.12) as the embedded service takes it; the document leaves its fields open. A
 * project is known by its name: creating one whose name exists gives the existing id, with `created` false.
 */
export const ownProjectRequest = z.strictObject({
	name: z.string().min(1).max(255).regex(/\S/, {error: 'must not be blank'}),
	description: z.string().max(4096).optional(),
});
export type OwnProjectRequest = z.input<typeof ownProjectRequest>;
