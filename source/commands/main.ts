import {exitCodeOf, exitCodes, sentenceOf} from './failure.ts';
import {type CommandLine, readCommandLine} from './flags.ts';
import {ReaderGoneError, toleratesClosedReaders} from './output.ts';

/** Loads what a command needs and nothing else. */
async function run(line: CommandLine): Promise<number> {
	switch (line.command) {
		case 'explore':
			return (await import('./open.ts')).open(line);
		case 'episodes':
			return (await import('./episodes.ts')).episodes(line);
		case 'datasets':
			return (await import('./datasets.ts')).datasets(line);
		case 'ingest':
			return (await import('./ingest.ts')).ingest(line);
		case 'serve':
			return (await import('./serve.ts')).serve(line);
	}
}

/** Carries a command line out. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
	toleratesClosedReaders();
	try {
		return await run(readCommandLine(argv));
	} catch (error) {
		if (error instanceof ReaderGoneError) return exitCodes.fine;
		process.stderr.write(`lakescope: ${sentenceOf(error)}\n`);
		return exitCodeOf(error);
	}
}
