import {chmod, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {localMachine} from '../../../source/contract/local-jobs.ts';
import {findGpus, Machine, readGpus} from '../../../source/service/jobs/machine.ts';
import {call} from '../support/call.ts';
import {serviceHome} from '../support/service-home.ts';

const home = serviceHome();

/** A PATH whose `nvidia-smi` is this script. */
async function withTool(script: string): Promise<NodeJS.ProcessEnv> {
	const folder = await mkdtemp(path.join(tmpdir(), 'lakescope-gpu-'));
	onTestFinished(() => rm(folder, {recursive: true, force: true}));
	await writeFile(path.join(folder, 'nvidia-smi'), `#!/bin/sh\n${script}\n`);
	await chmod(path.join(folder, 'nvidia-smi'), 0o700);
	return {PATH: `${folder}:/usr/bin:/bin`};
}

test('what the driver prints is read a GPU a line, and what it does not support is not known', () => {
	expect(readGpus('NVIDIA RTX A6000, 97, 40960, 49140, 71\nNVIDIA Thor, [N/A], [N/A], [N/A], 44\n')).toEqual([
		{
			name: 'NVIDIA RTX A6000',
			busy_percent: 97,
			memory_used_bytes: 40_960 * 2 ** 20,
			memory_total_bytes: 49_140 * 2 ** 20,
			temperature: 71,
		},
		{
			name: 'NVIDIA Thor',
			busy_percent: null,
			memory_used_bytes: null,
			memory_total_bytes: null,
			temperature: 44,
		},
	]);
});

test('GPUs are asked for what is read of them', async () => {
	const env = await withTool(
		'[ "$1" = --query-gpu=name,utilization.gpu,memory.used,memory.total,temperature.gpu ] && echo "A, 1, 2, 3, 4"',
	);
	expect(await findGpus(env)).toMatchObject({gpus: [{name: 'A', busy_percent: 1}], gpu_message: null});
});

test.each([
	['that lists none', 'true', 'nvidia-smi lists no GPU.'],
	['that fails', 'echo no driver >&2; exit 9', 'nvidia-smi ended with 9.'],
	['that hangs', 'exec sleep 600', 'nvidia-smi did not answer within 2 s.'],
])('a tool %s is told, and holds nobody up', async (_, script, gpu_message) => {
	expect(await findGpus(await withTool(script))).toEqual({gpus: [], gpu_message});
});

test('a machine without the tool says so', async () => {
	const empty = await mkdtemp(path.join(tmpdir(), 'lakescope-gpu-'));
	onTestFinished(() => rm(empty, {recursive: true, force: true}));
	expect(await findGpus({PATH: empty})).toEqual({
		gpus: [],
		gpu_message: 'nvidia-smi is not on the PATH of the service.',
	});
});

test('a lake whose folder is gone costs the disk alone', async () => {
	expect(await new Machine('/no/such/folder').read()).toMatchObject({disk: null});
});

test('GET /local/v1/machine tells what the disk under the lake has left', async () => {
	const service = await home.join(home.lake());
	const answer = await call(service, '/local/v1/machine');
	expect(answer.status).toBe(200);
	const {disk} = localMachine.parse(answer.json());
	expect(disk?.free_bytes).toBeGreaterThan(0);
	expect(disk?.free_bytes).toBeLessThanOrEqual(disk?.total_bytes ?? 0);
});
