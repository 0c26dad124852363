import {amount, count, type HyperparameterTable} from './hyperparameter.ts';

/**
 * What every type takes besides its policy's own: the trainer's settings. Steps are told and checkpoints written more
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
};
