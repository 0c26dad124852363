import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {buildProgram, bundleBare, cleanEnvironment, root, startHosted, succeed} from './bundle.ts';
import {printRow} from './row.ts';
import {type Timing, timeToFrame} from './start/timed-pty.ts';

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
	return {
		cli: await buildProgram(folder),
		bare: await bundleBare('bench/start/bare.ts', path.join(folder, 'bare')),
		env: {...cleanEnvironment(home), BENCH_COMPILE_CACHE: path.join(home, 'cache', 'bare')},
		sample: path.join(home, 'data/lakescope/sample'),
	};
}

const bareIsThere = (screen: string) => screen.includes('ready');

/** Rows are there, and the header calls them fresh. */
const explorerIsThere = (screen: string) =>
	/[●◐] (live|polling)/.test(screen) && /\n▸ +0 +\S/.test(screen.replaceAll(/^.*│/gm, ''));

async function besideHosted({cli, bare, env}: Bench): Promise<void> {
	const {url, stop} = await startHosted(5000);
	try {
		const {ours, theirs} = await alternate({bare, env, argv: [cli, '--url', url]});
		row('warm start to the first usable frame, --url', 1.6, ours, theirs);
		printRow({
			what: 'memory of the explorer, --url / the bare Ink table',
			ratio: median(ours, memory) / median(theirs, memory),
			bound: 1.5,
			figures: `${median(ours, memory).toFixed(0)} MiB / ${median(theirs, memory).toFixed(0)} MiB`,
		});
	} finally {
		stop();
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
