import {existsSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

/**
 * `npm run bench -- NAME…` measures the budgets of DESIGN §9: each bench prints its rows (what, ratio, bound,
 * figures), every ratio taken in one run. Without a name all of them run. Ends with 1 if a bound is broken.
 */
const names = ['start', 'terminal', 'lake', 'ingest', 'judgement'];

const wanted = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
const unknown = wanted.filter(name => !names.includes(name));
if (unknown.length > 0) {
	console.error(`There is no bench "${unknown.join('", "')}"; there are ${names.join(', ')}.`);
	process.exit(2);
}

for (const name of names) {
	if (wanted.length > 0 && !wanted.includes(name)) continue;
	const file = path.join(import.meta.dirname, `${name}.ts`);
	if (!existsSync(file)) {
		if (!wanted.includes(name)) continue;
		console.error(`The bench "${name}" is not there yet.`);
		process.exit(2);
	}
	const bench = (await import(pathToFileURL(file).href)) as {run: () => Promise<void>};
	await bench.run();
}
