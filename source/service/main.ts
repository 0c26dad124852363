import {enableCompileCache} from 'node:module';

// Before anything that is worth caching loads; hence the imports below.
enableCompileCache();

/** Datasets that the children write follow the person's umask. */
async function writeDatasets(): Promise<void> {
	const {followUmask} = await import('./workers/child-environment.ts');
	followUmask();
}

async function run(args: readonly string[]): Promise<number> {
	if (args[0] === 'write-sample') {
		const {runWriter} = await import('./sample/writer-child.ts');
		await writeDatasets();
		await runWriter();
		return 0;
	}
	if (args[0] === 'encode-videos') {
		const {runEncoders} = await import('./ffmpeg/encoder-thread.ts');
		await runEncoders();
		return 0;
	}
	if (args[0] === 'trim') {
		const {runTrimmer} = await import('./augmentation/trim-child.ts');
		await writeDatasets();
		await runTrimmer();
		return 0;
	}
	if (args[0] === 'compose') {
		const {runComposer} = await import('./compose/compose-child.ts');
		await writeDatasets();
		await runComposer();
		return 0;
	}
	if (args[0] === 'repair') {
		const {runRepairer} = await import('./repair/repair-child.ts');
		await writeDatasets();
		await runRepairer();
		return 0;
	}
	if (args[0] === 'series') {
		const {runSeries} = await import('./series/series-child.ts');
		await runSeries();
		return 0;
	}
	const {readArguments} = await import('./daemon/arguments.ts');
	const {ServiceStartError} = await import('./host/start-error.ts');
	try {
		const wanted = readArguments(args);
		if (!wanted.foreground) {
			const {runInBackground} = await import('./daemon/background.ts');
			return await runInBackground(wanted);
		}
		const {serveInForeground} = await import('./daemon/foreground.ts');
		const onListening = (url: string) => process.stdout.write(`listening ${url}\n`);
		const notify = (sentence: string) => process.stderr.write(`${sentence}\n`);
		await serveInForeground({...wanted, key: process.env.LAKESCOPE_API_KEY, onListening, notify});
		return 0;
	} catch (error) {
		if (!(error instanceof ServiceStartError)) throw error;
		process.stderr.write(`${error.message}\n`);
		return 1;
	}
}

// The engine's threads would keep a process whose work is done.
process.exit(await run(process.argv.slice(2)));
