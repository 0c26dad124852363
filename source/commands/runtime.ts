import {spawn} from 'node:child_process';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

/**
 * The first thing that runs, under whatever Node is installed: nothing here, nor in cli.ts, may need a newer one
 * than 18 to be read and run.
 */

/** The oldest Node that the libraries run on as they are used here. */
const oldest = 24;

/** True if this Node is recent enough. */
export function isRecentEnough(version: string = process.versions.node): boolean {
	return Number.parseInt(version, 10) >= oldest;
}

/** The runtime that comes with the package (an optional dependency bound to the platform), looked for upwards. */
async function pinnedRuntime(): Promise<string | undefined> {
	// Imported here: in the bundle a static import of it comes with a large file, before the compile cache is open.
	const {existsSync} = await import('node:fs');
	const runtime = path.join('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
	let folder = path.dirname(fileURLToPath(import.meta.url));
	for (;;) {
		const candidate = path.join(folder, runtime);
		if (existsSync(candidate)) return candidate;
		const parent = path.dirname(folder);
		if (parent === folder) return undefined;
		folder = parent;
	}
}

/**
 * Starts the program again under the pinned runtime, in this terminal, and ends as it ends; without that runtime it
 * says which Node is wanted.
 */
export async function handOver(program: string): Promise<void> {
	const runtime = await pinnedRuntime();
	if (runtime === undefined) {
		process.stderr.write(
			`lakescope: this is Node ${process.versions.node}, and ${oldest} or newer is needed. Install it, or install lakescope with npm on linux x64 or arm64, which brings it along.\n`,
		);
		process.exitCode = 1;
		return;
	}
	const child = spawn(runtime, [program, ...process.argv.slice(2)], {stdio: 'inherit'});
	// The terminal sends these to both; the child decides what they mean.
	for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => undefined);
	for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
	child.once('error', error => {
		process.stderr.write(`lakescope: ${runtime} cannot be started: ${error.message}\n`);
		process.exitCode = 1;
	});
	child.once('exit', (code, signal) => {
		if (signal === null) {
			process.exitCode = code ?? 1;
			return;
		}
		process.removeAllListeners(signal);
		process.kill(process.pid, signal);
	});
}
