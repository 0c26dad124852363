import {type CommandLine, commandNames, commandOf, meantPerhaps} from './flags.ts';
import {exitCodes, UsageError} from './print/failure.ts';
import {write} from './print/output.ts';
import {usage, usageOf} from './usage.ts';
import {version} from './version.ts';

/** `lakescope --help`, `lakescope COMMAND --help` and `lakescope help COMMAND` */
export async function printHelp({words: [word]}: CommandLine): Promise<number> {
	const command = commandOf(word);
	if (word !== undefined && command === undefined) {
		const meant = meantPerhaps(word, commandNames, name => `lakescope help ${name}`);
		throw new UsageError(
			`There is no command ${word}. ${meant === undefined ? '' : `${meant} `}lakescope --help tells of all.`,
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
