import {chmod, mkdir, rename, rm, stat} from 'node:fs/promises';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {build, type InputOptions, type OutputOptions} from 'rolldown';
import {declaredActions} from './build/action-names.ts';
import {inkTableAsAModule} from './build/ink-table-as-a-module.ts';
import {leanBuiltins} from './build/lean-builtins.ts';
import {meowWithoutPackage} from './build/meow-without-package.ts';
import {partsOf} from './build/parts.ts';
import {sixelInAModule} from './build/sixel-in-a-module.ts';
import {yogaWithoutFetch} from './build/yoga-without-fetch.ts';

/**
 * Bundles the program: one ESM graph in parts, so that a command loads only what it needs, in few files.
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

const bundle: InputOptions = {
	cwd: root,
	input: entryPoints,
	platform: 'node',
	// A native package: it finds its binary beside itself. The two hundred files around it are quicker in the bundle.
	external: ['@duckdb/node-bindings'],
	preserveEntrySignatures: 'allow-extension',
	resolve: {
		alias: {
			// Ink imports it only under DEV=true, but the bundler has to resolve it.
			'react-devtools-core': path.join(root, 'build/react-devtools-core.ts'),
			'restore-cursor': path.join(root, 'build/restore-cursor.ts'),
		},
	},
	transform: {
		target: 'node20',
		jsx: 'react-jsx',
		// React and Ink choose their development builds by the first; it must be settled before they load.
		define: {
			'process.env.NODE_ENV': '"production"',
			LAKESCOPE_ACTIONS: JSON.stringify(await declaredActions(root)),
		},
	},
	plugins: [inkTableAsAModule, leanBuiltins, meowWithoutPackage, sixelInAModule, yogaWithoutFetch],
	// A module that some commands import at once and others lazily is no mistake.
	checks: {ineffectiveDynamicImport: false},
};

const written: OutputOptions = {
	format: 'esm',
	entryFileNames: '[name].js',
	chunkFileNames: 'chunks/[name]-[hash].js',
	comments: {legal: false},
	// Names stay: a crash log is to be read.
	minify: {compress: true, mangle: false, codegen: {removeWhitespace: true}},
	codeSplitting: {
		includeDependenciesRecursively: false,
		groups: [{name: partsOf(path.join(root, 'source')), debugName: 'parts'}],
	},
	// write-file-atomic names itself.
	intro: 'const __filename=import.meta.filename;',
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
await build({...bundle, output: {...written, dir: fresh}});
await chmod(path.join(fresh, 'cli.js'), 0o755);
await replaceFolder(fresh, outdir);
