import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import path from 'node:path';

const starter = path.join(import.meta.dirname, 'one-node-slurm');

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Why no SLURM can be started here; undefined where one can. */
export const noSlurm: string | undefined =
	process.getuid?.() !== 0
		? 'needs root'
		: ['slurmctld', 'slurmd', 'munged', 'sbatch'].every(has)
			? undefined
			: 'needs SLURM: as root, test/slurm/one-node-slurm install';

/** A SLURM of one node that was started for tests. */
export type OneNode = {
	/** Runs one of its commands. */
	run(program: string, ...args: string[]): string;
	/** Ends its controller, and starts it again. */
	controller(verb: 'end' | 'start'): void;
	stop(): void;
};

/** Starts a SLURM whose files lie in a folder; this process and its children use it. */
export function startOneNode(folder: string): OneNode {
	mkdirSync(folder, {recursive: true});
	const verb = (name: string) =>
		execFileSync(starter, [name, folder], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']});
	process.env.SLURM_CONF = verb('start').trim();
	return {
		run: (program, ...args) => execFileSync(program, args, {encoding: 'utf8'}),
		controller: name => {
			verb(name === 'end' ? 'uncontrol' : 'control');
		},
		stop: () => {
			verb('stop');
		},
	};
}
