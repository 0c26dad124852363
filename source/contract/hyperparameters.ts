import * as z from 'zod';
import {freeForm} from './scalars.ts';
import {type VlaType, vlaTypes} from './vocabulary.ts';

/** Section 4.14: the types without a default base model. The document says nothing of `sarm`. */
const typesNeedingModel: readonly VlaType[] = ['smolvla', 'pi0', 'pi05'];

/** True if a fine-tune of the type needs a `model_id`. */
export function needsModel(type: VlaType): boolean {
	return typesNeedingModel.includes(type);
}

/** So slow is a trainer taken to be that a checkpoint is to be written in half of its hours. */
const slowStepsPerSecond = 0.6;

/** The most steps between two checkpoints by which a training of so many hours reaches its first one. */
export function saveFreqWithin(hours: number): number {
	return Math.max(1, Math.floor((hours * 3600 * slowStepsPerSecond) / 2));
}

/** Section 4.14: beyond the rule on `model_id` the query is not shown; `vla_type` is what the rule is about. */
export const hyperparameterDefaultsQuery = z.lazy(() =>
	z
		.strictObject({
			vla_type: z.enum(vlaTypes),
			model_id: z.string().optional(),
		})
		.refine(query => query.model_id !== undefined || !needsModel(query.vla_type), {
			path: ['model_id'],
			error: issue => `is required for ${(issue.input as {vla_type: VlaType}).vla_type}`,
		}),
);
export type HyperparameterDefaultsQuery = z.input<typeof hyperparameterDefaultsQuery>;

/** Section 2.11. */
export const hyperparameterDefaults = z.looseObject({data: freeForm(), message: z.string()});
export type HyperparameterDefaults = z.output<typeof hyperparameterDefaults>;

/** Section 4.13, the query. */
export const hyperparameterValidationQuery = z.strictObject({vla_type: z.string()});

/** Section 4.13, the body. */
export const hyperparameterSet = freeForm();

/** Section 2.11. */
const hyperparameterIssue = z.looseObject({field: z.string(), message: z.string()});
export type HyperparameterIssue = z.output<typeof hyperparameterIssue>;

/** Section 2.11. */
export const hyperparameterValidation = z.lazy(() =>
	z.looseObject({
		valid: z.boolean(),
		issues: z.array(hyperparameterIssue).nullish(),
	}),
);
export type HyperparameterValidation = z.output<typeof hyperparameterValidation>;
