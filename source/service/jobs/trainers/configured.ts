import {readConfig} from '../../../files/config.ts';
import {positiveNumber} from '../../host/environment.ts';
import type {Log} from '../../host/log.ts';
import type {Trainer} from './trainer.ts';

/**
 * Reads the trainers of the configuration, as it is whenever it is asked: one that is configured while the service runs
 * is found too. What runs them is loaded only where there is one. `LAKESCOPE_SLURM_POLL_MS` and
 * `LAKESCOPE_SLURM_SETTLE_MS` override how often `squeue` is asked, and how long files may be on their way.
 */
export function configuredTrainers(log: Log): () => Promise<readonly Trainer[]> {
	let settings = '{}';
	let trainers: Promise<readonly Trainer[]> = Promise.resolve([]);
	return async () => {
		const {config} = await readConfig();
		const found = JSON.stringify(config.trainers ?? {});
		if (found === settings) return trainers;
		settings = found;
		trainers = (async () => {
			const [{SlurmTrainer}, {SlurmQueue}, {sharedWithin}] = await Promise.all([
				import('./slurm.ts'),
				import('./slurm-commands.ts'),
				import('./slurm-script.ts'),
			]);
			const queue = new SlurmQueue(positiveNumber(process.env.LAKESCOPE_SLURM_POLL_MS) ?? 5000);
			const settleMs = positiveNumber(process.env.LAKESCOPE_SLURM_SETTLE_MS) ?? 30_000;
			const timing = {
				settleMs,
				cancelMs: 5000,
				sharedWithin: Math.min(sharedWithin, Math.ceil(settleMs / 500)),
			};
			return Object.entries(config.trainers ?? {}).map(
				([name, each]) => new SlurmTrainer(name, each, {queue, timing, log}),
			);
		})();
		return trainers;
	};
}
