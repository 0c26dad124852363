import {parseArgs} from 'node:util';
import {nearest} from '../query/nearest.ts';
import {UsageError} from './print/failure.ts';

const options = {
	url: {type: 'string'},
	account: {type: 'string'},
	profile: {type: 'string'},
	lake: {type: 'string'},
	sample: {type: 'boolean'},
	'read-only': {type: 'boolean'},
	json: {type: 'boolean'},
	jsonl: {type: 'boolean'},
	csv: {type: 'boolean'},
	raw: {type: 'boolean'},
	limit: {type: 'string'},
	offset: {type: 'string'},
	all: {type: 'boolean'},
	name: {type: 'string'},
	force: {type: 'boolean'},
	'limit-rate': {type: 'string'},
	port: {type: 'string'},
	listen: {type: 'string'},
	keys: {type: 'string'},
	'public-url': {type: 'string'},
	'upload-quota': {type: 'string'},
	input: {type: 'string'},
	yes: {type: 'boolean'},
	'with-rejected': {type: 'boolean'},
	watch: {type: 'boolean'},
	'on-end': {type: 'string'},
	help: {type: 'boolean', short: 'h'},
	version: {type: 'boolean'},
} as const;

type FlagName = keyof typeof options;

export type Flags = {
	readonly [Name in FlagName]?: (typeof options)[Name]['type'] extends 'boolean' ? boolean : string;
};

/** Which service and account, and how it may be used: flags that every command takes. */
const common: readonly FlagName[] = ['url', 'account', 'profile', 'lake', 'sample', 'read-only'];

/** The commands and the flags that each takes besides the common ones. */
const commandFlags = {
	explore: [],
	open: [],
	episodes: ['json', 'jsonl', 'csv', 'raw', 'limit', 'offset', 'all'],
	datasets: ['json'],
	ingest: ['name'],
	check: ['name', 'json'],
	upload: ['name', 'limit-rate', 'force'],
	forget: ['yes'],
	compose: ['with-rejected'],
	serve: ['port', 'listen', 'keys', 'public-url', 'upload-quota'],
	api: ['input'],
	doctor: ['json'],
	key: [],
	jobs: ['json', 'limit'],
	models: ['json', 'limit'],
	projects: ['json', 'limit'],
	uploads: ['json', 'limit'],
	finetune: ['json', 'watch', 'on-end'],
	augmentation: ['json', 'watch', 'on-end'],
	'sync-status': ['json', 'watch', 'on-end'],
	events: ['json'],
} as const satisfies Record<string, readonly FlagName[]>;

/** `explore` is what happens without a command. */
export type CommandName = keyof typeof commandFlags;

/** The commands that have a name. */
export const commandNames: readonly string[] = Object.keys(commandFlags).filter(name => name !== 'explore');

/** The flags that a command takes. */
export function flagsOf(command: CommandName): readonly FlagName[] {
	return [...common, ...commandFlags[command]];
}

/** Every flag of any command, without its dashes. */
export const flagNames: readonly string[] = Object.keys(options);

export type CommandLine = {
	readonly command: CommandName | 'help' | 'version';
	/** What stands on the line besides flags and the command. */
	readonly words: readonly string[];
	/** The words stood behind `--`: they are a filter, whatever they look like. */
	readonly isPlain: boolean;
	readonly flags: Flags;
};

/** The command of that name. */
export function commandOf(word: string | undefined): Exclude<CommandName, 'explore'> | undefined {
	const isOne = (name: string): name is Exclude<CommandName, 'explore'> =>
		name !== 'explore' && Object.hasOwn(commandFlags, name);
	return word !== undefined && isOne(word) ? word : undefined;
}

/** A term that leaves values out: `-tag:suspect`, `-duration_s>3`. No flag begins so. */
const negatedTerm = /^-[A-Za-z_]\w*(?:[:(]|\s*[<>=!])/;

/** Stands before such a term while flags are read; no argument of a process holds it. */
const shield = '\u0000';

function parse(args: readonly string[]) {
	const end = args.indexOf('--');
	const shielded = args.map((arg, at) =>
		negatedTerm.test(arg) && (end === -1 || at < end) ? shield + arg : arg,
	);
	const {values, positionals, tokens} = parseShielded(shielded);
	const bare = (text: string) => (text.startsWith(shield) ? text.slice(shield.length) : text);
	const bareValues = Object.entries(values).map(([name, value]) => [
		name,
		typeof value === 'string' ? bare(value) : value,
	]);
	return {
		values: Object.fromEntries(bareValues) as typeof values,
		positionals: positionals.map(bare),
		tokens,
	};
}

function parseShielded(args: readonly string[]) {
	try {
		return parseArgs({args: [...args], options, allowPositionals: true, tokens: true});
	} catch (error) {
		// Node goes on to explain how a file of that name would be given.
		const [what = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\.?\n/);
		const option = /^Option '(--[\w-]+)' argument is ambiguous/.exec(what)?.[1];
		if (option)
			throw new UsageError(`${option} needs a value; one that begins with "-" is written ${option}=-…`);
		const unknown = /^Unknown option '--([\w-]+)'/.exec(what)?.[1];
		const meant = unknown && meantPerhaps(unknown, flagNames, name => `--${name}`);
		throw new UsageError(`${what}. ${meant ? `${meant} ` : ''}See lakescope --help.`);
	}
}

/**
 * Reads the command line.
 *
 * @throws {UsageError} when a flag is not known, does not belong to the command, stands there twice or lacks its value.
 */
export function readCommandLine(args: readonly string[]): CommandLine {
	const {values: flags, positionals, tokens} = parse(args);
	const [first, ...rest] = positionals;
	const start = tokens.find(({kind}) => kind === 'positional' || kind === 'option-terminator');
	const isPlain = start?.kind === 'option-terminator';
	const named = isPlain ? undefined : commandOf(first);
	if (flags.help) return {command: 'help', words: named === undefined ? [] : [named], isPlain: false, flags};
	if (flags.version) return {command: 'version', words: [], isPlain: false, flags};
	if (!isPlain && first === 'help') return {command: 'help', words: rest, isPlain: false, flags};
	const command = named ?? 'explore';
	const taken: readonly string[] = flagsOf(command);
	const seen = new Set<string>();
	for (const token of tokens) {
		if (token.kind !== 'option') continue;
		const {name, value} = token;
		if (value === '') throw new UsageError(`--${name} needs a value. See lakescope --help.`);
		if (seen.has(name)) throw new UsageError(`--${name} stands there twice: give it once.`);
		if (!taken.includes(name)) throw strayFlag(name, command);
		seen.add(name);
	}
	return {command, words: command === 'explore' ? positionals : rest, isPlain, flags};
}

function strayFlag(name: string, command: CommandName): UsageError {
	const owners = Object.entries(commandFlags).flatMap(([owner, own]) =>
		(own as readonly string[]).includes(name) ? [owner] : [],
	);
	const last = owners.pop();
	const whose = owners.length === 0 ? last : `${owners.join(', ')} and ${last}`;
	const here = command === 'explore' ? 'lakescope without a command' : `lakescope ${command}`;
	return new UsageError(`--${name} belongs to lakescope ${whose}, not to ${here}. See lakescope --help.`);
}

/** A whole number from a flag, or undefined where it was not given. */
export function wholeNumber(
	flag: 'limit' | 'offset' | 'port',
	text: string | undefined,
	{min, max}: {min: number; max: number},
): number | undefined {
	if (text === undefined) return undefined;
	const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
	if (value >= min && value <= max) return value;
	throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, and "${text}" is not.`);
}

/** The question whether a word was a slip for one that is known: `Was it meant to be A or B?`; undefined without one. */
export function meantPerhaps(
	word: string,
	known: readonly string[],
	written: (name: string) => string,
): string | undefined {
	const like = nearest(word, known);
	return like.length === 0 ? undefined : `Was it meant to be ${like.map(written).join(' or ')}?`;
}
