import {type CommandLine, readCommandLine} from './flags.ts';
import {ReaderGoneError, tolerateClosedReaders} from './print/output.ts';

/** Loads what a command needs and nothing else. */
async function run(line: CommandLine): Promise<number> {
	switch (line.command) {
		case 'explore':
			return (await import('./open.ts')).open(line);
		case 'open':
			return (await import('./open-link.ts')).openLink(line);
		case 'episodes':
			return (await import('./episodes.ts')).episodes(line);
		case 'datasets':
			return (await import('./datasets.ts')).datasets(line);
		case 'ingest':
			return (await import('./ingest.ts')).ingest(line);
		case 'check':
			return (await import('./check.ts')).check(line);
		case 'upload':
			return (await import('./upload.ts')).upload(line);
		case 'compose':
			return (await import('./compose.ts')).compose(line);
		case 'forget':
			return (await import('./forget.ts')).forget(line);
		case 'serve':
			return (await import('./serve.ts')).serve(line);
		case 'api':
			return (await import('./api.ts')).api(line);
		case 'doctor':
			return (await import('./doctor.ts')).doctor(line);
		case 'key':
			return (await import('./key.ts')).key(line);
		case 'jobs':
			return (await import('./jobs.ts')).jobs(line);
		case 'models':
			return (await import('./models.ts')).models(line);
		case 'projects':
			return (await import('./projects.ts')).projects(line);
		case 'uploads':
			return (await import('./uploads.ts')).uploads(line);
		case 'finetune':
			return (await import('./finetune.ts')).finetune(line);
		case 'augmentation':
			return (await import('./augmentation.ts')).augmentation(line);
		case 'sync-status':
			return (await import('./sync-status.ts')).syncStatus(line);
		case 'events':
			return (await import('./events.ts')).events(line);
		case 'help':
			return (await import('./help.ts')).printHelp(line);
		case 'version':
			return (await import('./help.ts')).printVersion();
	}
}

/** Carries a command line out. @returns the exit code */
export async function main(args: readonly string[]): Promise<number> {
	tolerateClosedReaders();
	try {
		return await run(readCommandLine(args));
	} catch (error) {
		if (error instanceof ReaderGoneError) return 0;
		const {InterruptedError} = await import('./interruption.ts');
		if (error instanceof InterruptedError) return error.exitCode;
		const {exitCodeOf, sentenceOf} = await import('./print/failure.ts');
		process.stderr.write(`lakescope: ${sentenceOf(error)}\n`);
		return exitCodeOf(error);
	}
}
