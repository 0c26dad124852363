import {availableParallelism, totalmem} from 'node:os';

/** What one child process may take before it is ended. */
export type ChildBounds = {
	readonly memoryBytes: number;
	/** How long it may say nothing. */
	readonly stallMs: number;
};

const mebibyte = 1024 * 1024;

/** How many children work at once: one a core, but never so many that their memory is a concern. */
export const childrenAtOnce = Math.min(2, availableParallelism());

function positive(text: string | undefined): number | undefined {
	const value = Number(text);
	return text && Number.isFinite(value) && value > 0 ? value : undefined;
}

/**
 * The bounds of a child: up to 4 GiB, of which all children together never take more than half the machine's
 * memory, and 300 s without a word. `LAKESCOPE_INGEST_MEMORY_MIB` and `LAKESCOPE_INGEST_STALL_S` say otherwise.
 */
export function childBounds(env: NodeJS.ProcessEnv = process.env): ChildBounds {
	const usual = Math.min(4096, Math.floor(totalmem() / mebibyte / 2 / childrenAtOnce));
	return {
		memoryBytes: (positive(env.LAKESCOPE_INGEST_MEMORY_MIB) ?? usual) * mebibyte,
		stallMs: (positive(env.LAKESCOPE_INGEST_STALL_S) ?? 300) * 1000,
	};
}
