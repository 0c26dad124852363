/** The values that one hyperparameter takes. Without a default, the base model or the service chooses. */
export type Hyperparameter =
	| {
			readonly kind: 'integer' | 'number';
			readonly default?: number | null;
			readonly min?: number;
			/** An exclusive minimum. */
			readonly above?: number;
			readonly max?: number;
			readonly nullable?: boolean;
	  }
	| {readonly kind: 'boolean'; readonly default?: boolean}
	/** Any JSON value: its configuration gives no plain default. */
	| {readonly kind: 'any'; readonly default?: undefined}
	| {readonly kind: 'choice'; readonly default?: string; readonly values: readonly string[]}
	| {
			readonly kind: 'text';
			readonly default?: string;
			readonly startsWith?: string;
			/** @default 255 */
			readonly maxLength?: number;
	  };

export type HyperparameterTable = Readonly<Record<string, Hyperparameter>>;

/** A set of hyperparameters, those that were not given at their defaults. */
type HyperparameterValues = Readonly<Record<string, unknown>>;

type RuleBreach = {readonly field: string; readonly message: string};

/** A rule between several hyperparameters, or one that a single value's kind cannot say. */
export type HyperparameterRule = (values: HyperparameterValues) => RuleBreach | undefined;

/** Whole numbers of at least one. */
export const count = (value?: number): Hyperparameter => ({
	kind: 'integer',
	min: 1,
	max: 1_000_000_000,
	...(value !== undefined && {default: value}),
});

/** Whole numbers from zero. */
export const amount = (value?: number): Hyperparameter => ({
	kind: 'integer',
	min: 0,
	max: 1_000_000_000,
	...(value !== undefined && {default: value}),
});

/** Numbers above zero, as a learning rate is. */
export const positive = (value: number): Hyperparameter => ({kind: 'number', above: 0, default: value});

/** Numbers from zero, as a weight is. */
export const nonNegative = (value: number): Hyperparameter => ({kind: 'number', min: 0, default: value});

/** A probability of leaving out: from zero, below one. */
export const dropout = (value: number): Hyperparameter => ({
	kind: 'number',
	min: 0,
	max: 0.999,
	default: value,
});

export const flag = (value: boolean): Hyperparameter => ({kind: 'boolean', default: value});

/** `n_action_steps ≤ chunk_size`: more steps cannot be taken than were predicted. */
export const actionStepsWithinChunk: HyperparameterRule = ({n_action_steps, chunk_size}) =>
	n_action_steps === undefined || chunk_size === undefined || Number(n_action_steps) <= Number(chunk_size)
		? undefined
		: {
				field: 'n_action_steps',
				message: `must be at most chunk_size, which is ${chunk_size}, and is ${n_action_steps}`,
			};
