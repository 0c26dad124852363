import {chmod, mkdir, rename, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {type BuildOptions, build} from 'esbuild';
import {declaredActions} from './build/action-names.ts';
import {leanBuiltins} from './build/lean-builtins.ts';
import {sixelInAModule} from './build/sixel-in-a-module.ts';
import {yogaWithoutFetch} from './build/yoga-without-fetch.ts';

/**
 * Bundles the program: one ESM graph with shared chunks, so that a command loads only what it needs.
 *
 * `node build.ts [--outdir DIR]` writes `dist/` (or DIR, which must lie under the checkout: the native
 * packages stay outside the bundle and are resolved from its node_modules).
 */
const root = import.meta.dirname;

const entryPoints = {
	cli: 'source/cli.ts',
	'embedded-service': 'source/service/main.ts',
	'ingest-child': 'source/service/ingest/child.ts',
	'hash-worker': 'source/upload/hash-worker.ts',
	'picture-worker': 'source/picture/picture-worker.ts',
};

const options: BuildOptions = {
	absWorkingDir: root,
	entryPoints,
	entryNames: '[name]',
	chunkNames: 'chunks/[name]-[hash]',
	bundle: true,
	splitting: true,
	format: 'esm',
	platform: 'node',
	target: 'node20',
	jsx: 'automatic',
	minifySyntax: true,
	minifyWhitespace: true,
	legalComments: 'none',
	// A native package: it finds its binary beside itself. The two hundred files around it are quicker in the bundle.
	external: ['@duckdb/node-bindings'],
	// React and Ink choose their development builds by this; it must be settled before they load.
	define: {
		'process.env.NODE_ENV': '"production"',
		LAKESCOPE_ACTIONS: JSON.stringify(await declaredActions(root)),
	},
	alias: {
		// Ink imports it only under DEV=true, but the bundler has to resolve it.
		'react-devtools-core': './build/react-devtools-core.ts',
		'restore-cursor': './build/restore-cursor.ts',
	},
	plugins: [yogaWithoutFetch, leanBuiltins, sixelInAModule],
	// CommonJS dependencies (ink-table) call require() for Node's own modules; write-file-atomic names itself.
	banner: {
		js: [
			"import{createRequire as __createRequire}from'node:module';",
			'const require=__createRequire(import.meta.url),__filename=import.meta.filename;',
		].join(''),
	},
	logLevel: 'warning',
};

async function exists(file: string): Promise<boolean> {
	return stat(file).then(
		() => true,
		() => false,
	);
}

/** Replaces `outdir` in two renames, so that a program started meanwhile finds the old bundle or the new one. */
async function replaceFolder(fresh: string, outdir: string): Promise<void> {
	const old = `${outdir}.old-${process.pid}`;
	if (await exists(outdir)) await rename(outdir, old);
	await rename(fresh, outdir);
	await rm(old, {recursive: true, force: true});
}

const {values} = parseArgs({options: {outdir: {type: 'string', default: 'dist'}}});
const outdir = path.resolve(root, values.outdir);
const fresh = `${outdir}.new-${process.pid}`;
await mkdir(path.dirname(outdir), {recursive: true});
await build({...options, outdir: fresh});
await chmod(path.join(fresh, 'cli.js'), 0o755);
await replaceFolder(fresh, outdir);
