import {execFile} from 'node:child_process';
import {rm} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import type {TestProject} from 'vitest/node';

declare module 'vitest' {
	interface ProvidedContext {
		/** The built program of this run: pass it to `node` (`process.execPath`). */
		cli: string;
	}
}

/** Builds the program once a run, in a folder of that run's own, so that no run tests another's or a stale one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const root = path.resolve(import.meta.dirname, '../..');
	const outdir = path.join(root, 'node_modules', '.lakescope-test', String(process.pid));
	await promisify(execFile)(process.execPath, ['build.ts', '--outdir', outdir], {cwd: root});
	project.provide('cli', path.join(outdir, 'cli.js'));
	// Workers, and what they start in their own environment, compile a module once a run.
	process.env.NODE_COMPILE_CACHE ??= path.join(outdir, 'compiled');
	// A worker that ends just now writes what it compiled.
	return () => rm(outdir, {recursive: true, force: true, maxRetries: 20, retryDelay: 50});
}
