import {statfs} from 'node:fs/promises';
import type {LocalMachine} from '../../contract/local-machine.ts';
import {findGpus} from './gpus.ts';

/** However many ask, the machine is looked at this often at most. */
const goodForMs = 2000;

/** What the machine has left for jobs, looked at when asked. */
export class Machine {
	readonly #lakeFolder: string;
	#reading: {readonly at: number; readonly machine: Promise<LocalMachine>} | undefined;

	constructor(lakeFolder: string) {
		this.#lakeFolder = lakeFolder;
	}

	read(now = performance.now()): Promise<LocalMachine> {
		if (this.#reading === undefined || now - this.#reading.at > goodForMs) {
			this.#reading = {at: now, machine: this.#look()};
		}
		return this.#reading.machine;
	}

	async #look(): Promise<LocalMachine> {
		const [disk, gpus] = await Promise.all([this.#disk(), findGpus()]);
		return {disk, ...gpus};
	}

	async #disk(): Promise<LocalMachine['disk']> {
		try {
			const {bavail, blocks, bsize} = await statfs(this.#lakeFolder);
			// What is kept for root is not free for a job.
			return {free_bytes: bavail * bsize, total_bytes: blocks * bsize};
		} catch {
			return null;
		}
	}
}
