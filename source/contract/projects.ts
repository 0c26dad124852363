import * as z from 'zod';
import {freeForm, uuid} from './scalars.ts';

/** Section 4.12: "A request body is required; its fields: not shown." */
export const projectRequest = freeForm();

/** Section 2.12. */
export const projectCreated = z.looseObject({created: z.boolean(), project_id: uuid});
export type ProjectCreated = z.output<typeof projectCreated>;
