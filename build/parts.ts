import path from 'node:path';
import type {CodeSplittingNameFunction} from 'rolldown';

/**
 * Modules loaded at the start, step by step: the files that are imported one after another until the first frame, the
 * first answer or the first row is there. A module belongs to the first step of each start that needs it, so that
 * a step never waits for what only a later one needs: the service is spawned before Ink loads, and the engine opens its
 * file while the routes load.
 */
const starts: readonly (readonly (readonly [name: string, files: readonly string[]])[])[] = [
	[
		['open', ['commands/main.ts', 'commands/open.ts']],
		['join', ['service/front-door.ts']],
		['command', ['commands/session.ts', 'commands/episodes.ts']],
		['explorer', ['commands/explore.ts']],
		// Apart from the explorer: commands draw with it too.
		['ink', ['../node_modules/ink/build/index.js']],
		['app', ['app.tsx']],
	],
	[
		[
			'lake',
			['service/daemon/arguments.ts', 'service/daemon/background.ts', 'service/lake/duckdb/duckdb-lake.ts'],
		],
		[
			'serving',
			[
				'service/daemon/operations-file.ts',
				'service/operations/lake-identity.ts',
				'service/daemon/serving.ts',
				'service/lake/duckdb/publish.ts',
			],
		],
	],
	[
		[
			'calls',
			['../node_modules/undici/lib/dispatcher/agent.js', '../node_modules/undici/lib/api/api-request.js'],
		],
	],
];

/**
 * These run before the compile cache is open, with all that they import: nothing of theirs may lie in a file with more,
 * which would be compiled anew at each start (35 ms for the file that holds zod). The first stay in the file of their
 * entry; they run under an older Node too.
 */
const entries: readonly string[] = ['cli.ts', 'service/main.ts'];
const cacheOpener = 'commands/compile-cache.ts';

type Graph = Parameters<CodeSplittingNameFunction>[1];

/** The modules that are loaded with these files. */
function loadedWith(files: readonly string[], graph: Graph): ReadonlySet<string> {
	const found = new Set<string>();
	const pending = [...files];
	for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
		if (found.has(next)) continue;
		found.add(next);
		pending.push(...(graph.getModuleInfo(next)?.importedIds ?? []));
	}
	return found;
}

/**
 * Puts modules that load together into one file. Left to itself a bundler makes a file of every set of modules that the
 * same entries share: with some sixty entries the explorer's start read 63 files, which took a tenth of its time.
 *
 * @param source the folder of the source.
 */
export function partsOf(source: string): CodeSplittingNameFunction {
	const inSource = (file: string) => path.join(source, file);
	let first: ReadonlySet<string> | undefined;
	let early: ReadonlySet<string> | undefined;
	let steps: readonly (readonly (readonly [string, ReadonlySet<string>])[])[] | undefined;
	return (id, graph) => {
		first ??= loadedWith(entries.map(inSource), graph);
		if (first.has(id) || id === inSource(cacheOpener)) return null;
		early ??= loadedWith([inSource(cacheOpener)], graph);
		if (early.has(id)) return 'early';
		steps ??= starts.map(start =>
			start.map(([name, files]) => {
				return [name, loadedWith(files.map(inSource), graph)] as const;
			}),
		);
		const names = steps.flatMap(start => start.find(([, modules]) => modules.has(id))?.[0] ?? []);
		return names.length === 0 ? null : names.join('-');
	};
}
