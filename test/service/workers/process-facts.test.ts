import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
	outOfMemoryKills,
	processStat,
	startOfProcess,
} from '../../../source/service/workers/process-facts.ts';

test('kills for want of memory are those of the own control group, else those of the machine', async () => {
	const root = await mkdtemp(path.join(tmpdir(), 'lakescope-facts-'));
	try {
		expect(await outOfMemoryKills(root)).toBe(0);
		await mkdir(path.join(root, 'proc/self'), {recursive: true});
		await writeFile(path.join(root, 'proc/vmstat'), 'pgfault 77\noom_kill 5\ndrop_slab 0\n');
		await writeFile(path.join(root, 'proc/self/cgroup'), '0::/lab/robot\n');
		expect(await outOfMemoryKills(root)).toBe(5);
		await mkdir(path.join(root, 'sys/fs/cgroup/lab/robot'), {recursive: true});
		await writeFile(path.join(root, 'sys/fs/cgroup/lab/robot/memory.events'), 'oom 3\noom_kill 2\n');
		expect(await outOfMemoryKills(root)).toBe(2);
	} finally {
		await rm(root, {recursive: true});
	}
});

test('a process is told from a later one of its id by its start; one that is gone has none', async () => {
	const own = await processStat(process.pid);
	expect(own).toMatchObject({
		state: expect.stringMatching(/^[RSD]$/),
		started: expect.stringMatching(/^\d+$/),
	});
	expect(await startOfProcess(process.pid)).toBe(own?.started);
	expect(await processStat(2 ** 22 + 1)).toBeUndefined();
	expect(await startOfProcess(2 ** 22 + 1)).toBe('');
});
