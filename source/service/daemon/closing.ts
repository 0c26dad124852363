import type {Log} from '../host/log.ts';

/** Things to be closed, the last opened first. */
export class Closing {
	readonly #steps: Array<() => unknown> = [];

	add(step: () => unknown): void {
		this.#steps.push(step);
	}

	/** Takes every step, whatever the others do. */
	async close(log: Log): Promise<void> {
		for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
			try {
				await step();
			} catch (error) {
				log(`while ending: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
			}
		}
	}
}
