import {execFile} from 'node:child_process';
import type {LocalMachine, MachineGpu} from '../../contract/local-machine.ts';
import {systemReason} from '../start-error.ts';

/** What NVIDIA's driver is asked for, in this order. */
const asked = ['name', 'utilization.gpu', 'memory.used', 'memory.total', 'temperature.gpu'];

/** A driver that hangs holds nobody up for longer. */
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
