import {readdir, stat} from 'node:fs/promises';
import path from 'node:path';
import {chooseSnapshot, homeOfDataset, hubRepoId, hubSnapshot, shortRevision} from './hub-cache.ts';
import {resolvePath} from './places.ts';

/** Expands variables as Python does: an unset one stays as written. */
function withVariables(written: string, env: NodeJS.ProcessEnv): string {
	return written.replace(/\$(?:(\w+)|\{([^}]*)\})/g, (whole, bare?: string, braced?: string) => {
		return env[bare ?? braced ?? ''] ?? whole;
	});
}

const folderOf = (written: string) => resolvePath(written, process.cwd());

function huggingFaceHome(env: NodeJS.ProcessEnv): string {
	const written = env.HF_HOME || path.join(env.XDG_CACHE_HOME || '~/.cache', 'huggingface');
	return folderOf(withVariables(written, env));
}

/**
 * Where LeRobot keeps the datasets it records and loads, as LeRobot itself decides it: `~` is the home folder in its
 * variables, and in those of Hugging Face `$NAME` is filled in too.
 */
export function lerobotHome(env: NodeJS.ProcessEnv = process.env): string {
	if (env.HF_LEROBOT_HOME) return folderOf(env.HF_LEROBOT_HOME);
	return path.join(huggingFaceHome(env), 'lerobot');
}

/** The cache that all tools of the Hub share; LeRobot's own downloads lie in `hub` of its home instead. */
export function hubCache(env: NodeJS.ProcessEnv = process.env): string {
	const named = env.HF_HUB_CACHE || env.HUGGINGFACE_HUB_CACHE;
	return named ? folderOf(withVariables(named, env)) : path.join(huggingFaceHome(env), 'hub');
}

/**
 * Files that make a folder a dataset's root: LeRobot's description of it, or the progress that a reward model gave its
 * frames, which may lie alone.
 */
const signs = [
	path.join('meta', 'info.json'),
	'sarm_progress.parquet',
	'robometer_progress.parquet',
	'topreward_progress.parquet',
];

/** True if a folder is the root of a dataset. */
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
 * The datasets at a folder: itself, or those below it as NAME or ORG/NAME, in the order of their paths. Of a repository
 * of the Hub's cache it is the snapshot that its refs name; of a dataset that is there as ORG/NAME and in the cache, the
 * one that LeRobot loads. What cannot be read is passed over.
 */
export async function findDatasets(folder: string, levels = depth): Promise<readonly string[]> {
	const found = await datasetsBelow(folder, levels);
	if (found.length < 2) return found;
	const passedOver = await Promise.all(found.map(isPassedOver));
	return found.filter((_, place) => !passedOver[place]);
}

async function datasetsBelow(folder: string, levels: number): Promise<readonly string[]> {
	if (await isDataset(folder)) return [folder];
	if (hubRepoId(folder) !== undefined) return cachedDataset(folder);
	if (levels === 0) return [];
	const found = await Promise.all((await subfolders(folder)).map(each => datasetsBelow(each, levels - 1)));
	return found.flat();
}

async function cachedDataset(repository: string): Promise<readonly string[]> {
	const chosen = await chooseSnapshot(repository);
	return 'folder' in chosen && (await isDataset(chosen.folder)) ? [chosen.folder] : [];
}

/** A folder that older downloads leave in ORG/NAME: with it, LeRobot loads from its cache instead. */
async function isOldDownload(folder: string): Promise<boolean> {
	return stat(path.join(folder, '.cache', 'huggingface', 'download')).then(
		entry => entry.isDirectory(),
		() => false,
	);
}

/** True if LeRobot loads another folder in the place of this one, by the name that they share. */
async function isPassedOver(folder: string): Promise<boolean> {
	if (hubSnapshot(folder) !== undefined) {
		const plain = homeOfDataset(folder);
		return (await isDataset(plain)) && !(await isOldDownload(plain));
	}
	if (!(await isOldDownload(folder))) return false;
	const org = path.dirname(folder);
	const repository = `datasets--${path.basename(org)}--${path.basename(folder)}`;
	return (await cachedDataset(path.join(path.dirname(org), 'hub', repository))).length > 0;
}

/** How far above a file or folder the root of its dataset is looked for. */
const mostAbove = 5;

/** The root of the dataset that a file or folder lies in; undefined where it lies in none. */
export async function datasetAround(place: string): Promise<string | undefined> {
	let folder = path.dirname(place);
	for (let above = 0; above < mostAbove && folder !== path.dirname(folder); above++) {
		if (await isDataset(folder)) return folder;
		folder = path.dirname(folder);
	}
	return undefined;
}

/** How far below a folder, and in how many folders, a dataset is looked for that is only to be pointed at. */
const pointed = {levels: 5, folders: 500};

/** The first dataset that lies deeper below a folder than datasets are looked for. */
export async function deeperDataset(folder: string): Promise<string | undefined> {
	let level = [folder];
	let looked = 0;
	for (let depth = 0; depth < pointed.levels && level.length > 0; depth++) {
		const next: string[] = [];
		for (const each of level) {
			if (looked++ > pointed.folders) return undefined;
			if (await isDataset(each)) return each;
			next.push(...(await subfolders(each)));
		}
		level = next;
	}
	return undefined;
}

/** The datasets that LeRobot and the Hub's tools keep on this machine, each name once, and the folders they lie below. */
export async function keptDatasets(
	env: NodeJS.ProcessEnv = process.env,
): Promise<{readonly folders: readonly string[]; readonly places: readonly string[]}> {
	const home = lerobotHome(env);
	const ofHome = await findDatasets(home);
	const cache = hubCache(env);
	const names = new Set(
		ofHome.map(
			folder => hubSnapshot(folder)?.repoId ?? path.relative(home, folder).split(path.sep).join('/'),
		),
	);
	const repositories = (await subfolders(cache)).filter(folder => hubRepoId(folder) !== undefined);
	const ofCache = (await Promise.all(repositories.map(cachedDataset)))
		.flat()
		.filter(folder => !ofHome.includes(folder) && !names.has(hubSnapshot(folder)?.repoId ?? ''));
	const places = [...(ofHome.length > 0 ? [home] : []), ...(ofCache.length > 0 ? [cache] : [])];
	return {folders: [...ofHome, ...ofCache], places: places.length > 0 ? places : [home]};
}

/**
 * A dataset's name in a list to choose from: a snapshot `ORG/NAME` with its revision, another its folder.
 *
 * @param home the folder that paths are told from; absolute ones without.
 */
export function keptName(folder: string, home?: string): string {
	const snapshot = hubSnapshot(folder);
	if (snapshot) return `${snapshot.repoId} (Hub cache, ${shortRevision(snapshot.revision)})`;
	const below = home === undefined ? '' : path.relative(home, folder);
	return below === '' || below.startsWith('..') ? folder : below;
}

type NamedDataset = {readonly folder: string} | {readonly problem: string};

/**
 * Finds a dataset by the name that LeRobot loads it with, `ORG/NAME` or `ORG/NAME@REVISION`, in the order in which
 * LeRobot looks for it. The shared cache comes last.
 *
 * @returns undefined where nothing has that name, or it is none.
 */
export async function datasetNamed(
	written: string,
	env: NodeJS.ProcessEnv = process.env,
): Promise<NamedDataset | undefined> {
	const parts = /^((?:[\w.-]+\/)?[\w.-]+)(?:@(.+))?$/.exec(written);
	const name = parts?.[1];
	if (name === undefined || /(?:^|\/)\.+(?:\/|$)/.test(name)) return undefined;
	const revision = parts?.[2];
	const home = lerobotHome(env);
	const plain = path.join(home, name);
	const isPlain = revision === undefined && (await isDataset(plain));
	if (isPlain && !(await isOldDownload(plain))) return {folder: plain};
	let problem: string | undefined;
	for (const cache of new Set([path.join(home, 'hub'), hubCache(env)])) {
		const repository = path.join(cache, `datasets--${name.replace('/', '--')}`);
		if (!(await stat(repository).catch(() => undefined))?.isDirectory()) continue;
		const chosen = await chooseSnapshot(repository, revision);
		if ('folder' in chosen) return {folder: chosen.folder};
		problem ??= chosen.problem;
	}
	if (isPlain) return {folder: plain};
	return problem === undefined ? undefined : {problem};
}
