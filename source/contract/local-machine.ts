import * as z from 'zod';

/** One GPU, as far as its driver tells; null where it does not. */
export const machineGpu = z.lazy(() =>
	z.looseObject({
		name: z.string(),
		/** How much of the last second it was busy, in percent. */
		busy_percent: z.number().nullable(),
		memory_used_bytes: z.number().nullable(),
		memory_total_bytes: z.number().nullable(),
		/** Degrees Celsius. */
		temperature: z.number().nullable(),
	}),
);
export type MachineGpu = z.output<typeof machineGpu>;

/** `GET /local/v1/machine`: what the service's machine has left for jobs. A shape of lakescope's own. */
export const localMachine = z.lazy(() =>
	z.looseObject({
		/** The file system that the lake lies on; null where it cannot be read. */
		disk: z.looseObject({free_bytes: z.number(), total_bytes: z.number()}).nullable(),
		gpus: z.array(machineGpu),
		/** Why no GPU is listed; null where one is. */
		gpu_message: z.string().nullable(),
	}),
);
export type LocalMachine = z.output<typeof localMachine>;
