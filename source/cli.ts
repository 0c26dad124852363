#!/usr/bin/env node
import {fileURLToPath} from 'node:url';
import {handOver, isRecentEnough} from './commands/runtime.ts';

if (isRecentEnough()) {
	const {openCompileCache} = await import('./commands/compile-cache.ts');
	openCompileCache();
	const {main} = await import('./commands/main.ts');
	const code = await main(process.argv.slice(2));
	// Whatever still holds the process open (a kept connection, a timer) must not keep the person waiting.
	process.stdout.write('', () => process.exit(code));
} else {
	handOver(fileURLToPath(import.meta.url));
}
