import meow from 'meow';
import * as z from 'zod';
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

/** For each flag, true if it takes a value. */
const takesValue: ReadonlyMap<string, boolean> = new Map([
	...flagNames.map(name => [name, flagTable[name].value !== undefined] as const),
	['help', false],
	['version', false],
]);

const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The flags of a line as meow declares them: those that it names alone, for meow takes as long as a start can spare over
 * all forty. All may be given several times, so that what stands there twice can be refused.
 */
function meowFlags(names: readonly string[]) {
	return Object.fromEntries(
		[...takesValue]
			.filter(([name]) => names.includes(name))
			.map(([name, isText]) => [
				camelCase(name),
				{
					type: isText ? ('string' as const) : ('boolean' as const),
					isMultiple: true as const,
					...(name === 'help' ? {shortFlag: 'h'} : {}),
				},
			]),
	);
}

/** A term that leaves values out: `-tag:suspect`, `-duration_s>3`. No flag begins so. */
const negatedTerm = /^-[A-Za-z_]\w*(?:[:(]|\s*[<>=!])/;

const looksLikeFlag = (word: string) => /^-./s.test(word) && !negatedTerm.test(word);

/** Stands before a word that meow must take as it is; no argument of a process holds it. */
const shield = '\u0000';
const shielded = (word: string) => shield + word;
const bare = (word: string) => (word.startsWith(shield) ? word.slice(shield.length) : word);

/** A flag as it is written, and the word behind it. */
type Written = {readonly word: string; readonly next: string | undefined};

/** The name in `--name` or `--name=value`, and the value. */
function partsOf(word: string): {readonly name: string; readonly value: string | undefined} {
	const [, name = '', value] = /^--(.[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
	return {name, value};
}

/** The flag of one letter in `-h`: the first that does not exist, else the last. */
function shortProblem(word: string): string | undefined {
	const unknown = [...word.slice(1)].find(letter => letter !== 'h');
	return unknown === undefined ? undefined : `Unknown option '-${unknown}'. See lakescope --help.`;
}

/** Why a flag cannot be read as it is written; meow would take it. */
function spellingProblem({word, next}: Written): string | undefined {
	if (!word.startsWith('--')) return shortProblem(word);
	const {name, value} = partsOf(word);
	const isText = takesValue.get(name);
	if (isText === undefined) {
		const meant = /^[\w-]+$/.test(name)
			? meantPerhaps(name, [...takesValue.keys()], known => `--${known}`)
			: undefined;
		return `Unknown option '--${name}'. ${meant === undefined ? '' : `${meant} `}See lakescope --help.`;
	}
	if (!isText) {
		const shown = name === 'help' ? '-h, --help' : `--${name}`;
		return value === undefined
			? undefined
			: `Option '${shown}' does not take an argument. See lakescope --help.`;
	}
	if (value !== undefined) return undefined;
	if (next === undefined) return `Option '--${name} <value>' argument missing. See lakescope --help.`;
	return looksLikeFlag(next)
		? `--${name} needs a value; one that begins with "-" is written --${name}=-…`
		: undefined;
}

const written = z.custom<Written>().superRefine((flag, context) => {
	const message = spellingProblem(flag);
	if (message !== undefined) context.addIssue({code: 'custom', message});
});

/** Checks what meow returns against the line: meow accepts `--json=x`, `--readOnly` and unknown flags. */
const readByMeow = z.strictObject({
	written: z.array(written),
	input: z.array(z.string()),
	flags: z.strictObject(
		Object.fromEntries(
			[...takesValue].map(([name, isText]) => [
				camelCase(name),
				z.array(isText ? z.string() : z.literal(true)).optional(),
			]),
		),
	),
});

/** Read once a process: compiling the schema first would take longer than that. */
const interpreted = {jitless: true} as const;

/** The words before `--` as meow is to see them: flags as they are, values and all other words shielded. */
function forMeow(words: readonly string[]): string[] {
	return words.flatMap(word => {
		if (!looksLikeFlag(word)) return [shielded(word)];
		const {name, value} = partsOf(word);
		return value !== undefined && takesValue.get(name) ? [`--${name}`, shielded(value)] : [word];
	});
}

type Parsed = {
	/** In the order of the line. */
	readonly names: readonly string[];
	readonly values: ReadonlyMap<string, readonly (string | true)[]>;
	readonly words: readonly string[];
};

/** @throws {UsageError} for the first flag that cannot be read */
function parse(args: readonly string[]): Parsed {
	const end = args.indexOf('--');
	const before = end === -1 ? args : args.slice(0, end);
	const inOrder = args.flatMap((word, at) =>
		at < before.length && looksLikeFlag(word) ? [{word, next: args[at + 1]}] : [],
	);
	const names = inOrder.map(({word}) => (word.startsWith('--') ? partsOf(word).name : 'help'));
	const {input, flags} = meow({
		importMeta: import.meta,
		argv: forMeow(before),
		flags: meowFlags(names),
		autoHelp: false,
		autoVersion: false,
		booleanDefault: undefined,
		description: false,
		pkg: {},
	});
	const read = readByMeow.safeParse({written: inOrder, input, flags}, interpreted);
	if (!read.success) throw new UsageError(read.error.issues[0]?.message);
	const {data} = read;
	return {
		names,
		values: new Map(
			[...takesValue.keys()].map(name => [
				name,
				data.flags[camelCase(name)]?.map(each => (typeof each === 'string' ? bare(each) : each)) ?? [],
			]),
		),
		words: data.input.map(bare),
	};
}

/**
 * Reads the command line.
 *
 * @throws {UsageError} when a flag is not known, does not belong to the command, stands there twice or lacks its value.
 */
export function readCommandLine(args: readonly string[]): ReadLine {
	const {names, values, words: before} = parse(args);
	const end = args.indexOf('--');
	const words = [...before, ...(end === -1 ? [] : args.slice(end + 1))];
	const isPlain = end !== -1 && before.length === 0;
	const flags = Object.fromEntries(
		[...values].flatMap(([name, given]) => (given.length === 0 ? [] : [[name, given.at(-1)]])),
	) as Flags;
	const [first, ...rest] = words;
	const named = isPlain ? undefined : commandOf(first);
	if (flags.help)
		return {command: 'help', line: {words: named === undefined ? [] : [named.name], isPlain: false, flags}};
	if (flags.version) return {command: 'version', line: {words: [], isPlain: false, flags}};
	if (!isPlain && first === 'help') return {command: 'help', line: {words: rest, isPlain: false, flags}};
	const command = named ?? explore;
	const seen = new Map<string, number>();
	for (const name of names) {
		const count = seen.get(name) ?? 0;
		if (values.get(name)?.[count] === '')
			throw new UsageError(`--${name} needs a value. See lakescope --help.`);
		if (count > 0) throw new UsageError(`--${name} is given twice: give it once.`);
		if (!takes(command, name)) throw strayFlag(name, command);
		seen.set(name, count + 1);
	}
	return {command, line: {words: command === explore ? words : rest, isPlain, flags}};
}

/** True if a flag is one of the command's own. */
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
