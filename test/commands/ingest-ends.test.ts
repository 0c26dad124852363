import {copyFile} from 'node:fs/promises';
import {availableParallelism} from 'node:os';
import path from 'node:path';
import {expect, test} from 'vitest';
import {childrenOf, processesOver} from '../service/support/service-home.ts';
import {smallDataset} from '../service/support/small-dataset.ts';
import {editInfo} from '../support/dataset-damage.ts';
import {ended, programHome} from './support/program.ts';

const home = programHome();
const often = {interval: 5, timeout: 60_000};

const serviceOf = (lake: string) => processesOver(`embedded-service.js\0--lake\0${lake}\0`)[0] ?? -1;

/** Signals the processes that read datasets for a lake, once there are so many. */
async function signalReaders(lake: string, count: number, signal: NodeJS.Signals): Promise<void> {
	const seen = new Set<number>();
	const isReader = new Set(processesOver('ingest-child.js'));
	await expect
		.poll(() => {
			for (const pid of processesOver('ingest-child.js')) isReader.add(pid);
			for (const pid of childrenOf(serviceOf(lake))) {
				if (seen.has(pid) || !isReader.has(pid)) continue;
				process.kill(pid, signal);
				seen.add(pid);
			}
			return seen.size;
		}, often)
		.toBe(count);
}

const large = {episodes: 300, frames: 600};

test('ending the command ends an ingest that still waits for its turn; of one that runs it says how to', async () => {
	const lake = home.at('lake-waiting');
	const places = Math.min(2, availableParallelism());
	const first = await Promise.all(
		Array.from({length: places}, (_, place) => smallDataset(home.at(`large-${place}`), large)),
	);
	const running = first.map(folder => home.start(['ingest', '--lake', lake, folder]));
	const ends = running.map(ended);
	await signalReaders(lake, places, 'SIGSTOP');
	const waiting = home.start(['ingest', '--lake', lake, await smallDataset(home.at('patient'))]);
	const waitingEnd = ended(waiting);
	waiting.stderr?.once('data', () => waiting.kill('SIGINT'));
	expect(await waitingEnd).toMatchObject({
		code: 130,
		stderr: expect.stringContaining(
			'patient was still queued: its ingest is cancelled, and the next ones are skipped.\n',
		),
	});
	running[0]?.kill('SIGTERM');
	const left = await ends[0];
	expect(left?.code).toBe(143);
	expect(left?.stderr).toContain('The ingest of large-0 continues in the background');
	const how =
		/End it with: lakescope (api POST \S+\/cancel --lake) /.exec(left?.stderr ?? '')?.[1]?.split(' ') ?? [];
	const cancelled = await home.run([...how, lake]);
	expect(cancelled.code).toBe(0);
	expect(JSON.parse(cancelled.stdout)).toMatchObject({
		status: {phase: 'failed', message: 'The ingest was cancelled; nothing of it was kept.'},
	});
	for (const child of running.slice(1)) child.kill('SIGKILL');
	await Promise.all(ends);
	for (const pid of childrenOf(serviceOf(lake))) process.kill(pid, 'SIGCONT');
	const {stdout} = await home.run(['datasets', '--lake', lake, '--json']);
	expect(stdout).not.toContain('patient');
});

test('an ingest whose reader is killed is not said to be out of memory', async () => {
	const lake = home.at('lake-killed');
	const end = ended(home.start(['ingest', '--lake', lake, await smallDataset(home.at('killed'), large)]));
	await signalReaders(lake, 1, 'SIGKILL');
	expect(await end).toMatchObject({
		code: 1,
		stderr: expect.stringContaining(
			'was killed (SIGKILL) by something other than lakescope; the machine was not out of memory. Try again.',
		),
	});
});

test('a data_path of thirty placeholders takes an ingest no longer than another', async () => {
	const folder = await smallDataset(home.at('placeholders'));
	const chunk = path.join(folder, 'data/chunk-000');
	await copyFile(path.join(chunk, 'file-000.parquet'), path.join(chunk, `${'1'.repeat(60)}.parquet`));
	await editInfo(folder, info => {
		info.data_path = `data/chunk-000/${'{chunk_index}'.repeat(30)}.parquet.old`;
	});
	const refused = await home.run(['ingest', '--lake', home.at('lake-placeholders'), folder]);
	expect(refused.code).toBe(1);
	expect(refused.stderr).toContain('placeholders: Nothing of');
	expect(refused.stderr).not.toContain('disk');
});
