import {execFile} from 'node:child_process';
import {statfs} from 'node:fs/promises';
import type {LocalMachine, MachineGpu} from '../../contract/local-jobs.ts';
import {systemReason} from '../host/start-error.ts';

/** However many ask, the machine is looked at this often at most. */
const goodForMs = 2000;

/** The machine's free resources for jobs, read on request. */
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
			// Blocks reserved for root are not free for a job.
			return {free_bytes: bavail * bsize, total_bytes: blocks * bsize};
		} catch {
			return null;
		}
	}
}

/** The fields that are read from NVIDIA's driver, in this order. */
const asked = ['name', 'utilization.gpu', 'memory.used', 'memory.total', 'temperature.gpu'];

/** The longest wait for a driver that hangs. */
const withinMs = 2000;

const mib = 1024 * 1024;

/** A figure of `nvidia-smi`; what it does not support it calls `[N/A]`. */
function figure(text: string | undefined, unit = 1): number | null {
	const number = Number(text);
	return text === undefined || text === '' || Number.isNaN(number) ? null : number * unit;
}

/** Reads what `nvidia-smi --format=csv,noheader,nounits` prints, a GPU a line. */
export function readGpus(printed: string): readonly MachineGpu[] {
	return printed
		.split('\n')
		.map(line => line.split(',').map(cell => cell.trim()))
		.filter(([name]) => name)
		.map(([name = '', busy, used, total, temperature]) => ({
			name,
			busy_percent: figure(busy),
			memory_used_bytes: figure(used, mib),
			memory_total_bytes: figure(total, mib),
			temperature: figure(temperature),
		}));
}

/** The machine's GPUs by NVIDIA's own tool, or why there are none to tell of. */
export function findGpus(
	env: NodeJS.ProcessEnv = process.env,
): Promise<Pick<LocalMachine, 'gpus' | 'gpu_message'>> {
	const args = [`--query-gpu=${asked.join(',')}`, '--format=csv,noheader,nounits'];
	return new Promise(resolve => {
		const options = {env, timeout: withinMs, killSignal: 'SIGKILL', maxBuffer: 65_536} as const;
		execFile('nvidia-smi', args, options, (error, stdout) => {
			const gpus = error ? [] : [...readGpus(stdout)];
			resolve({gpus, gpu_message: gpus.length > 0 ? null : reasonOf(error)});
		});
	});
}

function reasonOf(error: (Error & {code?: unknown; killed?: boolean}) | null): string {
	if (error === null) return 'nvidia-smi lists no GPU.';
	if (error.code === 'ENOENT') return 'nvidia-smi is not on the PATH of the service.';
	if (error.killed) return `nvidia-smi did not answer within ${withinMs / 1000} s.`;
	return typeof error.code === 'number'
		? `nvidia-smi ended with ${error.code}.`
		: `nvidia-smi cannot be run: ${systemReason(error)}.`;
}
