import {commonFlags, type FlagName, flags as flagTable, meantPerhaps, type Section} from './flags.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {write} from './print/output.ts';
import {type Command, commandNames, commandOf, commands, explore} from './registry.ts';
import {version} from './version.ts';

/** A term with its explanation beside it, or below it where it is too long for that. */
function entry(term: string, [first = '', ...rest]: readonly string[], column: number): string {
	const indent = ' '.repeat(column);
	const head = term.length + 2 > column ? [term, indent + first] : [term.padEnd(column) + first];
	return [...head, ...rest.map(line => indent + line)].join('\n');
}

/** The commands in the order of the help. */
const inOrder = [
	explore,
	...commands.filter(({part}) => part === 'look'),
	...commands.filter(({part}) => part === 'do'),
];

/** The lines of commands; neighbours with the same summary share one. */
function usageLines(all: readonly Command[]): readonly string[] {
	const families = new Map<readonly string[], string[]>();
	for (const {summary, form} of all) families.set(summary, [...(families.get(summary) ?? []), form]);
	return [...families].map(([summary, forms]) => entry(`  lakescope ${forms.join(' | ')}`, summary, 31));
}

function flagLines(title: string, names: readonly FlagName[]): string {
	return [
		title,
		...names.map(name => {
			const {value, help} = flagTable[name];
			return entry(`  --${name}${value === undefined ? '' : ` ${value}`}`, help, 18);
		}),
	].join('\n');
}

const isListed = ({isListed}: Section) => isListed;

/** A section for each set of flags that these commands have, titled with all the commands that have it. */
function flagSections(all: readonly Command[]): readonly string[] {
	const sections = new Set(all.flatMap(({flags}) => flags).filter(isListed));
	return [...sections].map(section => {
		const owners = inOrder.filter(({flags}) => flags.includes(section));
		return flagLines(owners.map(({name}) => name).join(', '), section.flags);
	});
}

const furtherHelp = (all: readonly Command[]) => [...new Set(all.flatMap(({help}) => help ?? []))];

const title = 'lakescope: a terminal explorer for a lake of robot demonstrations';

const ofTheProgram = [
	entry('  lakescope help [COMMAND]', ['this text, or that of one command; also --help'], 31),
	entry('  lakescope --version', ["the program's version"], 31),
];

const whichService = flagLines('Which service', commonFlags);

const exits = `Exit codes
  0 fine  1 failed  2 usage  3 not reachable  4 refused  5 interface broken`;

const joined = (sections: readonly string[]) => `${sections.join('\n\n')}\n`;

/** The text of `--help`; no line is wider than 80 cells. */
export const usage = joined([
	title,
	['Usage', ...usageLines(inOrder), ...ofTheProgram].join('\n'),
	whichService,
	...flagSections(inOrder),
	...furtherHelp(inOrder),
	exits,
]);

/** The text of `lakescope COMMAND --help`: the part of the whole help about that command. */
export function usageOf(command: Command): string {
	const family = inOrder.filter(({summary}) => summary === command.summary);
	return joined([
		['Usage', ...usageLines(family)].join('\n'),
		...flagSections([command]),
		whichService,
		...furtherHelp([command]),
		exits,
		'lakescope --help lists every command.',
	]);
}

/** `lakescope --help`, `lakescope COMMAND --help` and `lakescope help COMMAND` */
export async function printHelp([word]: readonly string[]): Promise<number> {
	const command = commandOf(word);
	if (word !== undefined && command === undefined) {
		const meant = meantPerhaps(word, commandNames, name => `lakescope help ${name}`);
		throw new UsageError(
			`There is no command ${word}. ${meant === undefined ? '' : `${meant} `}lakescope --help lists all.`,
		);
	}
	await write(command === undefined ? usage : usageOf(command));
	return exitCodes.fine;
}

/** `lakescope --version` */
export async function printVersion(): Promise<number> {
	await write(`${version}\n`);
	return exitCodes.fine;
}
