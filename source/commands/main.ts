import {readCommandLine} from './command-line.ts';
import {ReaderGoneError, tolerateClosedReaders} from './print/output.ts';

async function run(args: readonly string[]): Promise<number> {
	const {command, line} = readCommandLine(args);
	if (command === 'help') return (await import('./help.ts')).printHelp(line.words);
	if (command === 'version') return (await import('./help.ts')).printVersion();
	return command.run(line);
}

/** Carries a command line out. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
	tolerateClosedReaders();
	try {
		return await run(args);
	} catch (error) {
		if (error instanceof ReaderGoneError) return 0;
		const {InterruptedError} = await import('./interruption.ts');
		if (error instanceof InterruptedError) return error.exitCode;
		const {exitCodeOf, sentenceOf} = await import('./print/failure.ts');
		process.stderr.write(`lakescope: ${sentenceOf(error)}\n`);
		return exitCodeOf(error);
	}
}
