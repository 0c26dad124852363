import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {build} from 'esbuild';
import {printRow} from './row.ts';
import {type Timing, timeToFrame} from './start/timed-pty.ts';

const root = path.resolve(import.meta.dirname, '..');
const rounds = 11;

/**
 * Warm starts in a terminal of 120×40, beside a bare table that Ink draws from a bundle of its own: the same runtime,
 * the compile cache on in both, turn by turn; medians. Usable is the explorer's frame that shows episodes as the
 * service holds them now, not as an earlier run kept them.
 */
export async function run(): Promise<void> {
	// In the checkout: the bundle's native package is resolved from there.
	const folder = await mkdtemp(path.join(root, 'node_modules', '.bench-start-'));
	const home = await mkdtemp(path.join(tmpdir(), 'lakescope-bench-start-'));
	try {
		const bench = await prepare(folder, home);
		await besideHosted(bench);
		await besideEmbedded(bench);
	} finally {
		await rm(folder, {recursive: true, force: true});
		await rm(home, {recursive: true, force: true});
	}
}

type Bench = {
	/** The built program. */
	readonly cli: string;
	readonly bare: string;
	readonly env: Readonly<Record<string, string>>;
	readonly sample: string;
};

async function prepare(folder: string, home: string): Promise<Bench> {
	// As in the package: without it Node parses every file to find out what it is.
	await writeFile(path.join(folder, 'package.json'), '{"type": "module"}\n');
	await succeed(['build.ts', '--outdir', path.join(folder, 'dist')], process.env);
	const bare = path.join(folder, 'bare', 'bare.js');
	await build({
		absWorkingDir: root,
		entryPoints: ['bench/start/bare.ts'],
		outdir: path.dirname(bare),
		splitting: true,
		bundle: true,
		format: 'esm',
		platform: 'node',
		jsx: 'automatic',
		minifySyntax: true,
		minifyWhitespace: true,
		define: {'process.env.NODE_ENV': '"production"'},
		alias: {'react-devtools-core': './build/react-devtools-core.ts'},
		banner: {
			js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
		},
	});
	const env = {
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
		BENCH_COMPILE_CACHE: path.join(home, 'cache', 'bare'),
		LAKESCOPE_API_KEY: 'hosted-key',
	};
	return {
		cli: path.join(folder, 'dist', 'cli.js'),
		bare,
		env,
		sample: path.join(home, 'data/lakescope/sample'),
	};
}

const bareIsThere = (screen: string) => screen.includes('ready');

/** Rows are there, and the header calls them fresh. */
const explorerIsThere = (screen: string) =>
	/[●◐] (live|polling)/.test(screen) && /\n▸ +0 +\S/.test(screen.replaceAll(/^.*│/gm, ''));

async function besideHosted({cli, bare, env}: Bench): Promise<void> {
	const service = spawn(process.execPath, ['test/hosted-service/main.ts', '--episodes', '5000'], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	try {
		const url = await new Promise<string>((resolve, reject) => {
			service.stdout.once('data', chunk => resolve(String(chunk).replace('listening ', '').trim()));
			service.once('exit', code => reject(new Error(`the hosted service ended with ${code}`)));
		});
		const {ours, theirs} = await alternate({bare, env, argv: [cli, '--url', url]});
		row('warm start to the first usable frame, --url', 1.6, ours, theirs);
		printRow({
			what: 'memory of the explorer, --url / the bare Ink table',
			ratio: median(ours, memory) / median(theirs, memory),
			bound: 1.5,
			figures: `${median(ours, memory).toFixed(0)} MiB / ${median(theirs, memory).toFixed(0)} MiB`,
		});
	} finally {
		service.kill();
	}
}

async function besideEmbedded({cli, bare, env, sample}: Bench): Promise<void> {
	await succeed([cli, 'episodes', '--sample', '--limit', '1'], env);
	const serve = spawn(process.execPath, [cli, 'serve', '--sample'], {
		env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const gone = new Promise(resolve => serve.once('exit', resolve));
	try {
		await new Promise((resolve, reject) => {
			serve.stdout.once('data', resolve);
			serve.once('exit', code => reject(new Error(`serve ended with ${code}`)));
		});
		const {ours, theirs} = await alternate({bare, env, argv: [cli, '--sample']});
		row('the same, embedded service already running', 1.8, ours, theirs);
	} finally {
		serve.kill();
		await gone;
	}
	const {ours, theirs} = await alternate({
		bare,
		env,
		argv: [cli, '--sample'],
		before: () => serviceGone(sample),
	});
	row('the same, embedded service started by it', 2.2, ours, theirs);
	await serviceGone(sample);
}

/** Runs both in turns; the first round fills the caches and does not count. */
async function alternate({
	bare,
	env,
	argv,
	before = async () => undefined,
}: {
	bare: string;
	env: Bench['env'];
	argv: readonly string[];
	before?: () => Promise<void>;
}): Promise<{ours: readonly Timing[]; theirs: readonly Timing[]}> {
	const ours: Timing[] = [];
	const theirs: Timing[] = [];
	for (let round = 0; round <= rounds; round++) {
		await before();
		const explorer = await timeToFrame(argv, env, explorerIsThere);
		const table = await timeToFrame([bare], env, bareIsThere);
		if (round === 0) continue;
		ours.push(explorer);
		theirs.push(table);
	}
	return {ours, theirs};
}

/** Ends the sample's service, wherever it runs, and waits until it has. */
async function serviceGone(sample: string): Promise<void> {
	const pointer = await readFile(path.join(sample, 'service.json'), 'utf8').catch(() => undefined);
	if (pointer === undefined) return;
	const {pid} = JSON.parse(pointer) as {pid: number};
	try {
		process.kill(pid, 'SIGTERM');
		for (;;) {
			process.kill(pid, 0);
			await new Promise(resolve => setTimeout(resolve, 20));
		}
	} catch {
		// It has ended.
	}
}

async function succeed(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
	const child = spawn(process.execPath, [...argv], {cwd: root, env, stdio: ['ignore', 'ignore', 'inherit']});
	const code = await new Promise(resolve => child.once('exit', resolve));
	if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
}

const time = ({milliseconds}: Timing) => milliseconds;
const memory = ({mebibytes}: Timing) => mebibytes;

function median(timings: readonly Timing[], of: (timing: Timing) => number): number {
	const sorted = timings.map(of).sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function row(what: string, bound: number, ours: readonly Timing[], theirs: readonly Timing[]): void {
	printRow({
		what: `${what} / a bare bundled Ink table`,
		ratio: median(ours, time) / median(theirs, time),
		bound,
		figures: `${median(ours, time).toFixed(0)} ms / ${median(theirs, time).toFixed(0)} ms, medians of ${ours.length}`,
	});
}
