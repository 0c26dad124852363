import {readFile} from 'node:fs/promises';
import path from 'node:path';

/**
 * A process as the kernel has it: its state, its group, and its start in the kernel's ticks since the machine started,
 * which with the process id names one process, as ids are given out again.
 */
type ProcessStat = {readonly state: string; readonly group: number; readonly started: string};

/** @returns undefined where there is no /proc, or no such process */
export async function processStat(pid: number): Promise<ProcessStat | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
	if (text === undefined) return undefined;
	// The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	return {state: fields[0] ?? '', group: Number(fields[2]), started: fields[19] ?? ''};
}

/** When a process started, as `ProcessStat` has it; empty where that is unknown. */
export async function startOfProcess(pid: number): Promise<string> {
	return (await processStat(pid))?.started ?? '';
}

/** The memory that a process holds now, in bytes; 0 where that cannot be told. */
export async function residentBytes(pid: number): Promise<number> {
	const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	return Number(text.match(/^VmRSS:\s+(\d+) kB$/m)?.[1] ?? 0) * 1024;
}

/**
 * How many processes the kernel ended so far for want of memory: of this process's control group where that counts them,
 * else of the machine.
 *
 * @param root where /proc and /sys lie
 */
export async function outOfMemoryKills(root = '/'): Promise<number> {
	const read = (...names: string[]) => readFile(path.join(root, ...names), 'utf8').catch(() => '');
	const group = /^0::(.+)$/m.exec(await read('proc/self/cgroup'))?.[1];
	const events = group === undefined ? '' : await read('sys/fs/cgroup', group, 'memory.events');
	const counted = /^oom_kill (\d+)$/m;
	return Number((counted.exec(events) ?? counted.exec(await read('proc/vmstat')))?.[1] ?? 0);
}

/** Ends a process and those it started, if it leads a group of its own. */
export function killGroup(pid: number): void {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// It has ended by itself.
	}
}
