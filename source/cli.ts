#!/usr/bin/env node
import {fileURLToPath} from 'node:url';
import {forgetRelativePlaces} from './commands/absolute-places.ts';
import {handOver, isRecentEnough} from './commands/runtime.ts';

if (isRecentEnough() && process.argv.length === 3 && process.argv[2] === '--version') {
	// No line has to be parsed for that.
	const {version} = await import('./commands/version.ts');
	process.stdout.on('error', () => undefined);
	process.stdout.write(`${version}\n`);
} else if (isRecentEnough()) {
	// Before anything is loaded that looks where the home folder is.
	forgetRelativePlaces(process.env);
	const {openCompileCache} = await import('./commands/compile-cache.ts');
	openCompileCache();
	const {main} = await import('./commands/main.ts');
	const code = await main(process.argv.slice(2));
	// Whatever still holds the process open (a kept connection, a timer) must not keep the person waiting.
	process.stdout.write('', () => process.exit(code));
} else {
	await handOver(fileURLToPath(import.meta.url));
}
