import {nearest} from '../query/nearest.ts';
import {UsageError} from './print/failure.ts';

/** A flag: the word for its value, if it takes one, and what help says of it where it has lines of its own. */
type Flag = {readonly value?: string; readonly help: readonly string[]};

/** Every flag of any command, without its dashes. */
const table = {
	url: {
		value: 'URL',
		help: [
			'a hosted service (LAKESCOPE_URL); its key is taken from',
			'LAKESCOPE_API_KEY, a key file or the configuration',
		],
	},
	account: {value: 'ID', help: ['the account to act on (LAKESCOPE_ACCOUNT_ID)']},
	profile: {value: 'NAME', help: ['a service and account of the configuration (LAKESCOPE_PROFILE)']},
	lake: {value: 'DIR', help: ["the folder of the embedded service's lake (LAKESCOPE_LAKE)"]},
	sample: {help: ['the sample lake of simulated arms']},
	'read-only': {help: ['refuse every call that changes something']},
	json: {help: ['the response; with --watch one line a change']},
	jsonl: {help: []},
	csv: {help: []},
	parquet: {
		value: 'FILE',
		help: ['write a parquet file with typed columns; - is the standard', 'output. --yes replaces a file'],
	},
	raw: {help: ['with --csv: texts byte for byte, also those that a', 'spreadsheet would run as a formula']},
	limit: {value: 'N', help: ['how many (50); more than a page holds are paged through']},
	offset: {value: 'N', help: ['how many to skip']},
	all: {help: ['every episode, as it comes']},
	name: {value: 'NAME', help: ["the dataset's name in the lake, for one dataset"]},
	force: {help: ['send the sound part of a dataset in which check finds faults']},
	'limit-rate': {value: 'N', help: ['bytes a second at most: 500K, 10M, 1G']},
	port: {value: 'N', help: ['the port to listen on; any that is free without it']},
	listen: {value: 'ADDR', help: ['accept calls from other machines at this address, with']},
	keys: {value: 'FILE', help: ['the keys of this file (0600): roles read, review and full']},
	'public-url': {value: 'URL', help: ['the address that others call, behind a proxy']},
	'upload-quota': {value: 'SIZE', help: ['limit of stored uploads: 500M, 20G']},
	input: {value: 'FILE', help: ['the body to send; - is the standard input']},
	yes: {help: ['without a question']},
	undo: {help: ['take the newest repair back: every byte is as before']},
	'rename-feature': {value: 'OLD=NEW', help: ['give a feature another name, in data, statistics and videos']},
	'rename-task': {value: 'OLD=NEW', help: ['give a task another text, or make it the one that has it']},
	'with-rejected': {help: ['include rejected episodes, which are left out otherwise']},
	to: {value: 'DIR', help: ['also copy it below this folder, where a cluster sees it']},
	'repo-id': {
		value: 'ORG/NAME',
		help: [
			'the name that the copy has for LeRobot; without --to it lies',
			'where LeRobot looks for that name',
		],
	},
	from: {
		value: 'FILE',
		help: ['only the episodes of this file that it does not reject: JSON', 'lines as of episodes --jsonl'],
	},
	'dry-run': {help: ['say what would be done, but do nothing']},
	'fail-on': {
		value: 'N',
		help: ['end with 6 where an oddness is N or more; suspect is 1'],
	},
	watch: {
		help: [
			'print every change until it has ended; the exit code tells',
			'how: 0 completed or finalized, 1 otherwise',
		],
	},
	'on-end': {
		value: 'CMD',
		help: [
			'then run CMD in a shell, with LAKESCOPE_KIND, LAKESCOPE_ID,',
			'LAKESCOPE_STATE and LAKESCOPE_OUTCOME (good, bad)',
		],
	},
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof table;

export const flags: Readonly<Record<FlagName, Flag>> = table;

export const flagNames = Object.keys(table) as readonly FlagName[];

export type Flags = {
	readonly [Name in FlagName]?: (typeof table)[Name] extends {value: string} ? string : boolean;
} & {readonly help?: boolean; readonly version?: boolean};

/** Which service and account, and how it may be used: flags that every command takes, in the order of the help. */
export const commonFlags: readonly FlagName[] = ['url', 'profile', 'account', 'lake', 'sample', 'read-only'];

/** Some flags of a command. Its help lists them, unless its summary describes them. */
export type Section = {readonly flags: readonly FlagName[]; readonly isListed: boolean};

/** The parsed line that a command receives. */
export type CommandLine = {
	/** The words besides flags and the command. */
	readonly words: readonly string[];
	/** The words stood behind `--`: they are a filter, whatever they look like. */
	readonly isPlain: boolean;
	readonly flags: Flags;
};

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

/** Suggests known words like a mistyped one: `Did you mean A or B?`; undefined without any. */
export function meantPerhaps(
	word: string,
	known: readonly string[],
	written: (name: string) => string,
): string | undefined {
	const like = nearest(word, known);
	return like.length === 0 ? undefined : `Did you mean ${like.map(written).join(' or ')}?`;
}
