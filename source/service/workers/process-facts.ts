import {readFile} from 'node:fs/promises';
import path from 'node:path';

/**
 * When a process started, in the kernel's ticks since the machine did: with its number it names one process, as
 * numbers are given out again. Empty where there is no /proc, or no such process.
 */
export async function startOfProcess(pid: number): Promise<string> {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	// The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
	return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
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
