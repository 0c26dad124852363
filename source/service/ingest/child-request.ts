import * as z from 'zod';
import {doubtThresholds} from '../../files/config-schema.ts';

/** The request to an ingest child: one JSON line on its stdin. */
export const childRequest = z.object({
	operation_id: z.string(),
	/** The dataset's root; for the progress that a reward model gave, its file. */
	folder: z.string().min(1),
	dataset_name: z.string().min(1),
	dataset_id: z.uuid(),
	/** An existing folder, the child's own, for what it hands over. */
	staging: z.string().min(1),
	/** From where on an episode is suspect, where the configuration says so. */
	doubt: doubtThresholds.optional(),
});
export type ChildRequest = z.output<typeof childRequest>;
