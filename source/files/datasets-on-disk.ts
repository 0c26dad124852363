import {readdir, stat} from 'node:fs/promises';
import path from 'node:path';
import {resolvePath} from './places.ts';

/** Expands variables as Python does: an unset one stays as written. */
function withVariables(written: string, env: NodeJS.ProcessEnv): string {
	return written.replace(/\$(?:(\w+)|\{([^}]*)\})/g, (whole, bare?: string, braced?: string) => {
		return env[bare ?? braced ?? ''] ?? whole;
	});
}

/**
 * Where LeRobot keeps the datasets it records and loads, as LeRobot itself decides it: `~` is the home folder in its
 * variables, and in those of Hugging Face `$NAME` is filled in too.
 */
export function lerobotHome(env: NodeJS.ProcessEnv = process.env): string {
	const folder = (written: string) => resolvePath(written, process.cwd());
	if (env.HF_LEROBOT_HOME) return folder(env.HF_LEROBOT_HOME);
	const huggingFace = env.HF_HOME || path.join(env.XDG_CACHE_HOME || '~/.cache', 'huggingface');
	return path.join(folder(withVariables(huggingFace, env)), 'lerobot');
}

/**
 * Files that make a folder a dataset's root: LeRobot's description of it, or the progress that a reward model gave its
 * frames, which may lie alone.
 */
const signs = [path.join('meta', 'info.json'), 'sarm_progress.parquet'];

/** Whether a folder is the root of a dataset. */
export async function isDataset(folder: string): Promise<boolean> {
	const found = await Promise.all(
		signs.map(sign =>
			stat(path.join(folder, sign)).then(
				entry => entry.isFile(),
				() => false,
			),
		),
	);
	return found.includes(true);
}

/** The folders below a folder, in the order of their names; none where it cannot be read. */
export async function subfolders(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	return entries
		.filter(entry => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
		.map(entry => path.join(folder, entry.name))
		.sort();
}

/** How far below a folder datasets are looked for: ORG/NAME. */
const depth = 2;

/**
 * The datasets at a folder: itself, or those below it as NAME or ORG/NAME, in the order of their paths. What cannot
 * be read is passed over.
 */
export async function findDatasets(folder: string, levels = depth): Promise<readonly string[]> {
	if (await isDataset(folder)) return [folder];
	if (levels === 0) return [];
	const found = await Promise.all((await subfolders(folder)).map(each => findDatasets(each, levels - 1)));
	return found.flat();
}
