import {parseArgs} from 'node:util';
import {
	type CommandLine,
	commonFlags,
	type Flags,
	flagNames,
	flags as flagTable,
	meantPerhaps,
} from './flags.ts';
import {UsageError} from './print/failure.ts';
import {type Command, commandOf, commands, explore} from './registry.ts';

/** The command that is meant, and what it is given. */
export type ReadLine = {readonly command: Command | 'help' | 'version'; readonly line: CommandLine};

const options = {
	...Object.fromEntries(
		flagNames.map(name => [
			name,
			{type: flagTable[name].value === undefined ? ('boolean' as const) : ('string' as const)},
		]),
	),
	help: {type: 'boolean', short: 'h'},
	version: {type: 'boolean'},
} as const;

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
		const meant = unknown && meantPerhaps(unknown, Object.keys(options), name => `--${name}`);
		throw new UsageError(`${what}. ${meant ? `${meant} ` : ''}See lakescope --help.`);
	}
}

/**
 * Reads the command line.
 *
 * @throws {UsageError} when a flag is not known, does not belong to the command, stands there twice or lacks its value.
 */
export function readCommandLine(args: readonly string[]): ReadLine {
	const {values, positionals, tokens} = parse(args);
	const flags = values as Flags;
	const [first, ...rest] = positionals;
	const start = tokens.find(({kind}) => kind === 'positional' || kind === 'option-terminator');
	const isPlain = start?.kind === 'option-terminator';
	const named = isPlain ? undefined : commandOf(first);
	if (flags.help)
		return {command: 'help', line: {words: named === undefined ? [] : [named.name], isPlain: false, flags}};
	if (flags.version) return {command: 'version', line: {words: [], isPlain: false, flags}};
	if (!isPlain && first === 'help') return {command: 'help', line: {words: rest, isPlain: false, flags}};
	const command = named ?? explore;
	const seen = new Set<string>();
	for (const token of tokens) {
		if (token.kind !== 'option') continue;
		const {name, value} = token;
		if (value === '') throw new UsageError(`--${name} needs a value. See lakescope --help.`);
		if (seen.has(name)) throw new UsageError(`--${name} stands there twice: give it once.`);
		if (!takes(command, name)) throw strayFlag(name, command);
		seen.add(name);
	}
	return {command, line: {words: command === explore ? positionals : rest, isPlain, flags}};
}

/** Whether a flag is one of the command's own. */
const owns = ({flags}: Command, name: string) =>
	flags.some(section => section.flags.some(own => own === name));

const takes = (command: Command, name: string) =>
	owns(command, name) || commonFlags.some(common => common === name);

function strayFlag(name: string, command: Command): UsageError {
	const owners = commands.filter(each => owns(each, name)).map(each => each.name);
	const last = owners.pop();
	const whose = owners.length === 0 ? last : `${owners.join(', ')} and ${last}`;
	const here = command === explore ? 'lakescope without a command' : `lakescope ${command.name}`;
	return new UsageError(`--${name} belongs to lakescope ${whose}, not to ${here}. See lakescope --help.`);
}
