import {mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, afterEach, beforeEach} from 'vitest';
import {
	type JoinedService,
	type JoinOptions,
	joinEmbeddedService,
} from '../../../source/service/front-door.ts';

/** Long enough that a client's next request comes in time, short enough to wait for in a test. */
const graceMs = '400';

function commandLine(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
}

/** The processes whose command line names this folder: no others than those that a test started over it. */
export function processesOver(folder: string): number[] {
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name) && commandLine(name).includes(folder))
		.map(Number);
}

/** The processes that a process started and that run. */
export function childrenOf(pid: number): number[] {
	const parentOf = (name: string) => {
		try {
			const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
			return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
		} catch {
			return undefined;
		}
	};
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name) && parentOf(name) === pid)
		.map(Number);
}

/** The processes that work in a folder, as what a trainer has started does, whose command line may name nothing. */
function processesIn(folder: string): number[] {
	return readdirSync('/proc')
		.filter(name => {
			try {
				return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(`${folder}/`);
			} catch {
				return false;
			}
		})
		.map(Number);
}

/** Ends every process over or in a folder, and tells how many there were. */
export function endProcessesOver(folder: string): number {
	const found = [...new Set([...processesOver(folder), ...processesIn(folder)])];
	for (const pid of found) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It ended meanwhile.
		}
	}
	return found.length;
}

/** A place of a test file's own, where lakes and runtime files lie, and from which no service outlives the tests. */
export type ServiceHome = {
	readonly root: string;
	/** The path of a lake that is not there yet. */
	lake(): string;
	/** Joins, and leaves at the end of the test, or of all of them where none runs yet. */
	join(lakeFolder: string, options?: Partial<JoinOptions>): Promise<JoinedService>;
};

/** To be called once a test file, outside of tests. */
export function serviceHome(): ServiceHome {
	const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lakescope-service-')));
	const forAll = new Set<JoinedService>();
	const forOne = new Set<JoinedService>();
	let joined = forAll;
	let lakes = 0;
	process.env.XDG_RUNTIME_DIR = path.join(root, 'runtime');
	process.env.LAKESCOPE_SERVICE_GRACE_MS = graceMs;

	beforeEach(() => {
		joined = forOne;
	});
	afterEach(() => {
		for (const service of forOne) service.leave();
		forOne.clear();
	});
	afterAll(() => {
		for (const service of forAll) service.leave();
		endProcessesOver(root);
		rmSync(root, {recursive: true, force: true, maxRetries: 20, retryDelay: 50});
	});
	return {
		root,
		lake: () => path.join(root, `lake-${lakes++}`),
		join: async (lakeFolder, options = {}) => {
			await mkdir(path.join(root, 'runtime'), {recursive: true, mode: 0o700});
			const service = await joinEmbeddedService({lakeFolder, ...options});
			await service.held;
			joined.add(service);
			return service;
		},
	};
}
