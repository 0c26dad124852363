import * as z from 'zod';
import {finetuneLimits as limits} from './limits.ts';
import {freeForm, openText, uuid} from './scalars.ts';
import {vlaTypes} from './vocabulary.ts';

/** Section 4.3, the request body. */
export const finetuneRequest = z.lazy(() =>
	z.strictObject({
		project_id: uuid,
		model_id: z.string().optional(),
		vla_type: z.enum(vlaTypes),
		dataset_id: z.string(),
		hours: z.number().gt(limits.hours.above).max(limits.hours.max),
		instance_type: z.string().optional(),
		region: z.string().optional(),
		batch_size: z.int().min(limits.batchSize.min).max(limits.batchSize.max).default(limits.batchSize.default),
		name: z.string().max(limits.name).optional(),
		camera_mappings: z.record(z.string(), z.string()),
		vla_hyper_spec: freeForm().optional(),
		use_rabc: z.boolean().optional(),
		sarm_reward_model_path: z.string().optional(),
		/** Described values are `sparse`, `dense` and `both`; the document does not close the set. */
		rabc_head_mode: z.string().default('sparse'),
		sarm_image_observation_key: z.string().optional(),
	}),
);
export type FinetuneRequest = z.input<typeof finetuneRequest>;

/** Section 2.10. */
export const finetuneCreated = z.looseObject({
	job_id: uuid,
	status: openText,
	message: z.string().nullish(),
});
export type FinetuneCreated = z.output<typeof finetuneCreated>;
