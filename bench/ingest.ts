import {spawn} from 'node:child_process';
import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {text} from 'node:stream/consumers';
import {type BenchShape, writeBenchDataset} from './ingest/bench-dataset.ts';
import {printRow} from './row.ts';

const root = path.resolve(import.meta.dirname, '..');
const rounds = 3;

/** Episodes of 13 s at 30 Hz, and many short ones of a humanoid's many channels, where each costs more than its frames. */
const datasets: readonly (BenchShape & {readonly name: string; readonly bound: number})[] = [
	{name: 'one 6-dof arm', bound: 7, dims: 6, files: 6, episodesPerFile: 1000, framesPerEpisode: 400},
	{name: 'two 7-dof arms', bound: 7, dims: 14, files: 6, episodesPerFile: 1000, framesPerEpisode: 400},
	{
		name: '30 joints, episodes of 40 frames',
		bound: 15,
		dims: 30,
		files: 5,
		episodesPerFile: 4000,
		framesPerEpisode: 40,
	},
];

/**
 * The ingest child at work on a dataset, beside a process that only decodes the same columns into typed arrays
 * (`ingest/decode.ts`): the CPU time of the whole processes, DuckDB with one thread in both, the least of three
 * rounds that take turns.
 */
export async function run(): Promise<void> {
	const folder = await mkdtemp(path.join(tmpdir(), 'lakescope-bench-ingest-'));
	try {
		for (const {name, bound, ...shape} of datasets) {
			const dataset = path.join(folder, 'dataset');
			await writeBenchDataset(dataset, shape);
			await compare({name, bound}, shape, dataset, folder);
			await rm(dataset, {recursive: true});
		}
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
}

async function compare(
	{name, bound}: {readonly name: string; readonly bound: number},
	shape: BenchShape,
	dataset: string,
	folder: string,
): Promise<void> {
	const {files} = shape;
	let decode = Number.POSITIVE_INFINITY;
	let ingest = Number.POSITIVE_INFINITY;
	for (let round = 0; round < rounds; round++) {
		decode = Math.min(decode, await cpuSeconds('bench/ingest/decode.ts', {folder: dataset, files}));
		const staging = path.join(folder, `staging-${round}`);
		await mkdir(staging);
		ingest = Math.min(
			ingest,
			await cpuSeconds('source/service/ingest/child.ts', {
				operation_id: 'bench',
				folder: dataset,
				dataset_name: 'bench',
				dataset_id: '0b5e55ed-0000-5000-8000-000000000000',
				staging,
			}),
		);
		await rm(staging, {recursive: true});
	}
	const episodes = files * shape.episodesPerFile;
	const frames = episodes * shape.framesPerEpisode;
	const rate = (seconds: number) => `${(frames / seconds / 1e6).toFixed(2)} M frames/s`;
	printRow({
		what: `ingest, everything computed, CPU time, one thread (${name}) / decoding the same columns`,
		ratio: ingest / decode,
		bound,
		figures: `${ingest.toFixed(2)} s / ${decode.toFixed(2)} s for ${episodes} episodes, ${frames} frames: ${rate(ingest)} / ${rate(decode)}`,
	});
}

/** Runs a program with a line of JSON on its stdin. @returns the CPU time of the whole process. */
async function cpuSeconds(program: string, input: object): Promise<number> {
	const reporter = path.join(root, 'bench/ingest/cpu-at-exit.ts');
	const child = spawn(process.execPath, ['--import', reporter, path.join(root, program)], {
		stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
	});
	child.stdin?.end(`${JSON.stringify(input)}\n`);
	const [said, cpu, code] = await Promise.all([
		text(child.stdout as NodeJS.ReadableStream),
		text(child.stdio[3] as NodeJS.ReadableStream),
		new Promise<number | null>(resolve => child.once('close', resolve)),
	]);
	if (code !== 0 || !said.includes('"type":"done"')) throw new Error(`${program} failed (${code}): ${said}`);
	return Number(cpu) / 1e6;
}
