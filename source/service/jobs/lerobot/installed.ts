import {open, readdir, readFile, realpath, stat} from 'node:fs/promises';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ConfigurationFields, Configurations, Registry} from '../vla/releases.ts';

/** The package that a trainer's command belongs to. */
export type InstalledPackage = {
	readonly version: string;
	/** The file that tells of it, and when that was written: another installation has another. */
	readonly metadata: string;
	readonly writtenMs: number;
	/** The folder of its Python files; undefined where it is not found. */
	readonly folder: string | undefined;
};

const headBytes = 4096;

async function headOf(file: string): Promise<string> {
	const opened = await open(file, 'r').catch(() => undefined);
	if (!opened) return '';
	try {
		const {buffer, bytesRead} = await opened.read(Buffer.alloc(headBytes), 0, headBytes, 0);
		return buffer.subarray(0, bytesRead).toString('utf8');
	} catch {
		return '';
	} finally {
		await opened.close();
	}
}

/** The interpreter that a script names: in its first line or, where its path is long, behind an `exec` in its second. */
function interpreterOf(script: string): string | undefined {
	const [first = '', second = ''] = script.split('\n', 2);
	const named = first.match(/^#!\s*(\/\S+)/)?.[1];
	if (named === undefined) return undefined;
	if (path.basename(named) !== 'sh') return named;
	return second
		.match(/^'''exec' (?:"([^"]+)"|(\/\S+))/)
		?.slice(1)
		.find(Boolean);
}

/** The folders that may hold the environment of a command: that of its interpreter first. */
async function prefixesOf(command: string): Promise<string[]> {
	const file = await realpath(command).catch(() => command);
	const interpreter = interpreterOf(await headOf(file));
	const programs = [...(interpreter === undefined ? [] : [interpreter]), command, file];
	return [...new Set(programs.map(program => path.dirname(path.dirname(program))))];
}

const entriesOf = (folder: string) => readdir(folder).catch((): string[] => []);

async function packageFoldersOf(prefix: string): Promise<string[]> {
	const found: string[] = [];
	for (const library of ['lib', 'lib64']) {
		for (const name of await entriesOf(path.join(prefix, library))) {
			if (!/^python3/.test(name)) continue;
			for (const kind of ['site-packages', 'dist-packages'])
				found.push(path.join(prefix, library, name, kind));
		}
	}
	return found;
}

async function isFile(file: string): Promise<boolean> {
	return stat(file).then(
		facts => facts.isFile(),
		() => false,
	);
}

/** Where the Python files lie: beside the metadata, or where an editable installation points. */
async function filesOf(packages: string, metadata: string): Promise<string | undefined> {
	const candidates = [path.join(packages, 'lerobot')];
	try {
		const told = JSON.parse(await readFile(path.join(metadata, 'direct_url.json'), 'utf8')) as {
			url?: unknown;
		};
		if (typeof told.url === 'string' && told.url.startsWith('file:')) {
			const folder = fileURLToPath(told.url);
			candidates.unshift(path.join(folder, 'src', 'lerobot'), path.join(folder, 'lerobot'));
		}
	} catch {
		// It was installed from a registry.
	}
	for (const folder of candidates) {
		if (await isFile(path.join(folder, 'configs', 'policies.py'))) return folder;
	}
	return undefined;
}

/** The LeRobot that a command belongs to, by the metadata of packages beside its interpreter. */
export async function installedPackage(command: string): Promise<InstalledPackage | undefined> {
	for (const prefix of await prefixesOf(command)) {
		for (const packages of await packageFoldersOf(prefix)) {
			const names = (await entriesOf(packages)).filter(name => /^lerobot-\d[^/]*\.dist-info$/.test(name));
			for (const name of names.sort().reverse()) {
				const folder = path.join(packages, name);
				const metadata = path.join(folder, 'METADATA');
				const text = await readFile(metadata, 'utf8').catch(() => '');
				const version = text.match(/^Version:\s*(\S+)\s*$/m)?.[1];
				if (version === undefined) continue;
				const {mtimeMs} = await stat(metadata);
				return {version, metadata, writtenMs: mtimeMs, folder: await filesOf(packages, folder)};
			}
		}
	}
	return undefined;
}

type PythonClass = {
	readonly name: string;
	readonly bases: readonly string[];
	readonly registered: {readonly registry: Registry; readonly type: string} | undefined;
	readonly fields: ConfigurationFields;
};

const registries: Readonly<Record<string, Registry>> = {
	PreTrainedConfig: 'policy',
	RewardModelConfig: 'reward_model',
};

/** A plain Python value; undefined for an expression. */
function literalOf(text: string): {readonly default?: unknown} {
	const plain = text.replace(/\s+#.*$/, '').trim();
	const word = {True: true, False: false, None: null}[plain];
	if (word !== undefined) return {default: word};
	if (/^-?\d[\d_]*(\.\d*)?(e[-+]?\d+)?$/i.test(plain)) return {default: Number(plain.replaceAll('_', ''))};
	const quoted = plain.match(/^"([^"\\]*)"$|^'([^'\\]*)'$/);
	return quoted ? {default: quoted[1] ?? quoted[2] ?? ''} : {};
}

/** The dataclasses of a Python file, as far as they are written in LeRobot's usual way. */
function classesOf(text: string): PythonClass[] {
	const found: PythonClass[] = [];
	let registered: PythonClass['registered'];
	let fields: Record<string, {type: string; default?: unknown}> | undefined;
	let isText = false;
	for (const line of text.split('\n')) {
		const quotes = line.split('"""').length - 1;
		const wasText = isText;
		if (quotes % 2 === 1) isText = !isText;
		if (wasText || quotes > 0) continue;
		const decorator = line.match(/^@(\w+)\.register_subclass\((?:name=)?["'](\w+)["']\)/);
		if (decorator) {
			const registry = registries[decorator[1] ?? ''];
			registered = registry && {registry, type: decorator[2] ?? ''};
		}
		const opening = line.match(/^class (\w+)(?:\(([^)]*)\)?)?/);
		if (opening) {
			fields = {};
			const bases = (opening[2] ?? '').split(',').map(base => base.trim());
			found.push({name: opening[1] ?? '', bases, registered, fields});
			registered = undefined;
		} else if (/^[^\s#@)]/.test(line)) {
			fields = undefined;
		}
		const field = line.match(/^ {4}([a-z_]\w*):\s*([^=#]+?)\s*(?:=\s(.*)|#.*)?$/);
		if (field && fields) fields[field[1] ?? ''] = {type: field[2] ?? '', ...literalOf(field[3] ?? '')};
	}
	return found;
}

async function pythonFiles(folder: string, wanted: RegExp, depth = 4): Promise<string[]> {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	const found = await Promise.all(
		entries.map(entry => {
			const full = path.join(folder, entry.name);
			if (entry.isDirectory()) return depth > 0 ? pythonFiles(full, wanted, depth - 1) : [];
			return entry.isFile() && wanted.test(entry.name) ? [full] : [];
		}),
	);
	return found.flat();
}

function fieldsOf(
	type: PythonClass,
	known: ReadonlyMap<string, PythonClass>,
	depth = 8,
): ConfigurationFields {
	const inherited = type.bases.map(base => {
		const found = known.get(base);
		return found && depth > 0 ? fieldsOf(found, known, depth - 1) : {};
	});
	return Object.assign({}, ...inherited, type.fields) as ConfigurationFields;
}

/** Reads what a package has registered, from the text of its configurations; undefined where that is not as expected. */
export async function readConfigurations(folder: string): Promise<Configurations | undefined> {
	const bases = ['policies.py', 'rewards.py'].map(name => path.join(folder, 'configs', name));
	const files = await Promise.all(
		['policies', 'rewards'].map(part => pythonFiles(path.join(folder, part), /^configuration_\w+\.py$/)),
	);
	const texts = await Promise.all(
		[...bases, ...files.flat()].map(async file => classesOf(await readFile(file, 'utf8').catch(() => ''))),
	);
	const common = new Map(texts.slice(0, bases.length).flatMap(each => each.map(type => [type.name, type])));
	const found: Record<Registry, Record<string, ConfigurationFields>> = {policy: {}, reward_model: {}};
	for (const classes of texts.slice(bases.length)) {
		const known = new Map([...common, ...classes.map(type => [type.name, type] as const)]);
		for (const type of classes) {
			if (type.registered) found[type.registered.registry][type.registered.type] = fieldsOf(type, known);
		}
	}
	// Every LeRobot has these: where they are not found, its files are written otherwise.
	return found.policy.act?.chunk_size && found.policy.diffusion ? found : undefined;
}
