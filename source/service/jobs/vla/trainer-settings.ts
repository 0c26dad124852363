import {amount, count, type HyperparameterTable} from './hyperparameter.ts';

/**
 * The options of the trainer, which every type takes besides its policy's own. Steps are logged and checkpoints written more
 * often than by LeRobot's defaults (200 and 20000), so that a stuck job is seen, and one that ends at its hours has a
 * checkpoint close by; the service keeps no more than the newest two unless `save_freq` is another. A training of few hours saves more often (`command-line.ts`).
 */
export const trainerSettings: HyperparameterTable = {
	/** Without it the hours bound the training. */
	steps: count(),
	save_freq: count(1000),
	log_freq: count(20),
	seed: amount(1000),
	num_workers: {kind: 'integer', min: 0, max: 1024, default: 4},
	/** The part of each task's episodes that is held out; their loss is told every `eval_steps`. From LeRobot 0.6.0 on. */
	eval_split: {kind: 'number', min: 0, max: 0.9},
	eval_steps: amount(),
	max_eval_samples: amount(),
};

/** Those that LeRobot has since 0.6.0, with the flag that sets each. */
export const heldOutFlags: Readonly<Record<string, string>> = {
	eval_split: 'dataset.eval_split',
	eval_steps: 'eval_steps',
	max_eval_samples: 'max_eval_samples',
};
