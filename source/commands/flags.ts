import meow from 'meow';
import {usage} from './usage.ts';
import {UsageError} from './usage-error.ts';

const flagTypes = {
	url: {type: 'string'},
	account: {type: 'string'},
	lake: {type: 'string'},
	sample: {type: 'boolean'},
	readOnly: {type: 'boolean'},
	json: {type: 'boolean'},
	jsonl: {type: 'boolean'},
	csv: {type: 'boolean'},
	limit: {type: 'string'},
	offset: {type: 'string'},
	all: {type: 'boolean'},
	name: {type: 'string'},
	port: {type: 'string'},
	help: {type: 'boolean', shortFlag: 'h'},
	version: {type: 'boolean'},
} as const;

type FlagValues = {
	readonly [Name in keyof typeof flagTypes]?: (typeof flagTypes)[Name]['type'] extends 'boolean'
		? boolean
		: string;
};

/** Which service and account, and how it may be used: flags that every command takes. */
const common = ['url', 'account', 'lake', 'sample', 'readOnly', 'help', 'version'] as const;

/** The commands and the flags that each takes besides the common ones. */
const commandFlags = {
	explore: [],
	episodes: ['json', 'jsonl', 'csv', 'limit', 'offset', 'all'],
	datasets: ['json'],
	ingest: ['name'],
	serve: ['port'],
} as const satisfies Record<string, readonly (keyof typeof flagTypes)[]>;

export type CommandName = keyof typeof commandFlags;

export type CommandLine = {
	readonly command: CommandName;
	/** What stands on the line besides flags and the command. */
	readonly words: readonly string[];
	readonly flags: FlagValues;
};

const written = (flag: string) => `--${flag.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

function isCommand(word: string | undefined): word is CommandName {
	return word !== undefined && word !== 'explore' && Object.hasOwn(commandFlags, word);
}

/** What was given, without what was not; a flag that wants a value has one. */
function given(flags: Record<string, unknown>): FlagValues {
	const entries = Object.entries(flags).filter(([, value]) => value !== undefined && value !== false);
	for (const [name, value] of entries) {
		if (value === '') throw new UsageError(`${written(name)} needs a value. See lakescope --help.`);
	}
	return Object.fromEntries(entries);
}

/**
 * Reads the command line. `--help` and `--version` are answered at once, and a flag that is not known is said with
 * exit code 2: both end the program.
 *
 * @throws {UsageError} when a flag does not belong to the command, or lacks its value.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
	const cli = parse(argv);
	if (cli.flags.help) cli.showHelp(0);
	if (cli.flags.version) cli.showVersion();
	const flags = given(cli.flags);
	const [first, ...rest] = cli.input;
	const command = isCommand(first) ? first : 'explore';
	const taken: readonly string[] = [...common, ...commandFlags[command]];
	const stray = Object.keys(flags).find(name => !taken.includes(name));
	if (stray !== undefined) {
		const owner = Object.entries(commandFlags).find(([, own]) =>
			(own as readonly string[]).includes(stray),
		)?.[0];
		const named = command === 'explore' ? 'lakescope without a command' : `lakescope ${command}`;
		throw new UsageError(
			`${written(stray)} belongs to lakescope ${owner}, not to ${named}. See lakescope --help.`,
		);
	}
	return {command, words: isCommand(first) ? rest : cli.input, flags};
}

function parse(argv: readonly string[]) {
	try {
		return meow(usage, {
			importMeta: import.meta,
			argv,
			flags: flagTypes,
			allowUnknownFlags: false,
			description: false,
		});
	} catch (error) {
		// "The flag --url can only be set once."
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
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
