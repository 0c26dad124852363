import {spawn} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import path from 'node:path';
import {build} from 'rolldown';
import {inkTableAsAModule} from '../build/ink-table-as-a-module.ts';

export const root = path.resolve(import.meta.dirname, '..');

/** Builds the program below a folder of the checkout. @returns the file to start. */
export async function buildProgram(folder: string): Promise<string> {
	// As in the package: without it Node parses every file to find its module type.
	await writeFile(path.join(folder, 'package.json'), '{"type": "module"}\n');
	await succeed(['build.ts', '--outdir', path.join(folder, 'dist')], process.env);
	return path.join(folder, 'dist', 'cli.js');
}

/** Bundles a small Ink program as the real one is. @returns the file to start. */
export async function bundleBare(entryPoint: string, outdir: string): Promise<string> {
	await build({
		cwd: root,
		input: [entryPoint],
		platform: 'node',
		plugins: [inkTableAsAModule],
		resolve: {alias: {'react-devtools-core': path.join(root, 'build/react-devtools-core.ts')}},
		transform: {jsx: 'react-jsx', define: {'process.env.NODE_ENV': '"production"'}},
		output: {
			dir: outdir,
			format: 'esm',
			entryFileNames: '[name].js',
			minify: {compress: true, mangle: false, codegen: {removeWhitespace: true}},
		},
	});
	return path.join(outdir, `${path.parse(entryPoint).name}.js`);
}

/** An environment in which nothing of the tester's own is read or left behind. */
export function cleanEnvironment(home: string): Readonly<Record<string, string>> {
	return {
		PATH: process.env.PATH ?? '',
		HOME: home,
		LANG: 'C.UTF-8',
		TERM: 'xterm-256color',
		XDG_RUNTIME_DIR: path.join(home, 'run'),
		XDG_DATA_HOME: path.join(home, 'data'),
		XDG_STATE_HOME: path.join(home, 'state'),
		XDG_CACHE_HOME: path.join(home, 'cache'),
		XDG_CONFIG_HOME: path.join(home, 'config'),
		HF_LEROBOT_HOME: path.join(home, 'lerobot'),
		LAKESCOPE_API_KEY: 'hosted-key',
	};
}

/** Starts the hosted service of the tests with that many episodes. */
export async function startHosted(episodes: number): Promise<{url: string; stop: () => void}> {
	const service = spawn(process.execPath, ['test/hosted-service/main.ts', '--episodes', String(episodes)], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const url = await new Promise<string>((resolve, reject) => {
		service.stdout.once('data', chunk => resolve(String(chunk).replace('listening ', '').trim()));
		service.once('exit', code => reject(new Error(`the hosted service ended with ${code}`)));
	});
	return {url, stop: () => void service.kill()};
}

export async function succeed(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
	const child = spawn(process.execPath, [...argv], {cwd: root, env, stdio: ['ignore', 'ignore', 'inherit']});
	const code = await new Promise(resolve => child.once('exit', resolve));
	if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
}
