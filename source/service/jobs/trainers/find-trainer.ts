import {constants} from 'node:fs';
import {access, stat} from 'node:fs/promises';
import path from 'node:path';
import {readConfig} from '../../../files/config.ts';
import {resolvePath} from '../../../files/places.ts';
import {systemReason} from '../../host/start-error.ts';
import type {TrainerFinding} from './trainer.ts';

/** LeRobot's trainer. */
const usualTrainer = 'lerobot-train';

const howTo = `Install LeRobot and put ${usualTrainer} on the PATH, or name the command with LAKESCOPE_TRAINER or "trainer" in the configuration.`;

async function problemOf(file: string): Promise<string | undefined> {
	try {
		if (!(await stat(file)).isFile()) return 'it is no file';
		await access(file, constants.X_OK);
		return undefined;
	} catch (error) {
		return systemReason(error);
	}
}

async function onPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
	for (const folder of (env.PATH ?? '').split(path.delimiter)) {
		const file = path.resolve(folder || '.', name);
		if ((await problemOf(file)) === undefined) return file;
	}
	return undefined;
}

/** Cuts a command into words as a shell would, as far as quotes go; nothing is substituted. */
function wordsOf(command: string): string[] {
	return Array.from(
		command.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g),
		found => found[1] ?? found[2] ?? found[0],
	);
}

async function configured(env: NodeJS.ProcessEnv): Promise<{command: string; by: string} | undefined> {
	if (env.LAKESCOPE_TRAINER?.trim()) {
		return {command: env.LAKESCOPE_TRAINER.trim(), by: 'LAKESCOPE_TRAINER'};
	}
	const {config, file} = await readConfig();
	return config.trainer?.trim() ? {command: config.trainer.trim(), by: `"trainer" in ${file}`} : undefined;
}

async function resolved(command: string, env: NodeJS.ProcessEnv): Promise<string[] | string> {
	const whole = resolvePath(command, '/');
	// A path may hold spaces; only what is no file as it stands is cut into words.
	if (path.isAbsolute(command) || command.startsWith('~')) {
		if ((await problemOf(whole)) === undefined) return [whole];
	}
	const [first = '', ...rest] = wordsOf(command);
	if (!first.includes('/')) {
		const file = await onPath(first, env);
		return file ? [file, ...rest] : `no program ${JSON.stringify(first)} is on the PATH`;
	}
	const file = resolvePath(first, '/');
	const problem = await problemOf(file);
	return problem === undefined ? [file, ...rest] : `${file} cannot be run: ${problem}`;
}

/** Another program of LeRobot's: beside the trainer, as they are installed together, else on the PATH. */
export async function findBeside(
	trainer: readonly string[],
	name: string,
	env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
	for (const word of trainer) {
		if (!path.isAbsolute(word) || path.basename(word) !== usualTrainer) continue;
		const beside = path.join(path.dirname(word), name);
		if ((await problemOf(beside)) === undefined) return beside;
	}
	return onPath(name, env);
}

/** Looks for this machine's trainer: the command configured, else LeRobot's on the PATH. */
export async function findTrainer(env: NodeJS.ProcessEnv = process.env): Promise<TrainerFinding> {
	const wanted = await configured(env);
	if (wanted) {
		const command = await resolved(wanted.command, env);
		if (typeof command === 'string') {
			return {
				kind: 'broken',
				message: `The trainer named by ${wanted.by} cannot be used: ${command}. Set it right, or leave it out.`,
			};
		}
		return {kind: 'found', command, message: `${command.join(' ')}, as ${wanted.by} says.`};
	}
	const file = await onPath(usualTrainer, env);
	if (file) return {kind: 'found', command: [file], message: `${file}, found on the PATH.`};
	return {kind: 'absent', message: `There is no trainer on this machine. ${howTo}`};
}
