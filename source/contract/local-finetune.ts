import * as z from 'zod';
import type {Endpoint} from './endpoints.ts';
import {finetuneCreated, finetuneRequest} from './finetune.ts';
import {freeForm} from './scalars.ts';

/** Fine-tunes of what LeRobot trains besides the interface's types, under `/local/v1`. Shapes of lakescope's own. */

/** `POST /local/v1/finetune`: section 4.3's request, with a policy or reward model of LeRobot in place of `vla_type`. */
export const localFinetuneRequest = z.lazy(() =>
	finetuneRequest
		.unwrap()
		.omit({vla_type: true})
		.extend({
			/** As `--policy.type` or `--reward_model.type` calls it. */
			policy: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be the name of a policy, as diffusion is'),
			/** For a base model whose image keys are others than the dataset's. */
			camera_mappings: z.record(z.string(), z.string()).default({}),
		}),
);
export type LocalFinetuneRequest = z.input<typeof localFinetuneRequest>;

const trainedPolicy = z.lazy(() =>
	z.looseObject({
		policy: z.string(),
		/** The registry that it is in. */
		registry: z.enum(['policy', 'reward_model']),
		/** Its name as a `vla_type` of section 4.3; null for one that only `POST /local/v1/finetune` takes. */
		vla_type: z.string().nullable(),
		/** The usual base model, or what it begins with. */
		base_model: z.string(),
		/** Why `lerobot-train` does not train it; null where it does. */
		untrained: z.string().nullable(),
		/** Its hyperparameters with their defaults, from its own configuration; null where that cannot be read. */
		hyperparameters: freeForm().nullable(),
	}),
);

/** `GET /local/v1/finetune/policies`: what the LeRobot of this machine has registered. */
export const trainedPolicies = z.lazy(() =>
	z.looseObject({
		/** As its package says; null where there is none, or it does not tell. */
		version: z.string().nullable(),
		message: z.string(),
		policies: z.array(trainedPolicy),
	}),
);
export type TrainedPolicies = z.output<typeof trainedPolicies>;

/** The query of `POST /local/v1/finetune/line`. */
export const finetuneLineQuery = z.lazy(() =>
	z.strictObject({
		/** The LeRobot that it is for; else the one of this machine, or the newest that is known. */
		version: z
			.string()
			.regex(/^\d+\.\d+(\.\d+)?[\w.+-]{0,32}$/, 'must be a version, as 0.6.1 is')
			.optional(),
	}),
);

/** `POST /local/v1/finetune/line`: section 4.3's request as the command that trains it, for who trains elsewhere. */
export const finetuneLine = z.lazy(() =>
	z.looseObject({
		/** The command's words. */
		command: z.array(z.string()),
		/** Which LeRobot it is for, and what it does not bound. */
		message: z.string(),
	}),
);
export type FinetuneLine = z.output<typeof finetuneLine>;

const own = 'ARCHITECTURE.md';

export const localFinetuneEndpoints = {
	localFinetune: {
		section: own,
		method: 'POST',
		path: '/local/v1/finetune',
		key: 'required',
		repeatable: false,
		body: localFinetuneRequest,
		response: finetuneCreated,
	},
	finetuneLine: {
		section: own,
		method: 'POST',
		path: '/local/v1/finetune/line',
		key: 'required',
		repeatable: true,
		query: finetuneLineQuery,
		body: finetuneRequest,
		response: finetuneLine,
	},
	trainedPolicies: {
		section: own,
		method: 'GET',
		path: '/local/v1/finetune/policies',
		key: 'required',
		repeatable: true,
		response: trainedPolicies,
	},
} as const satisfies Record<string, Endpoint>;
