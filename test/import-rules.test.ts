import {globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';

/**
 * ARCHITECTURE.md, "Imports point one way": for each room of source/, the rooms it may import from.
 * A room may always import from itself.
 */
const mayImport: Record<string, readonly string[]> = {
	contract: [],
	// The names of the metrics, which it computes.
	motion: ['contract'],
	// Where the Hub's cache keeps what its links lead to.
	lerobot: ['files'],
	terminal: [],
	// Pixels and nothing else: read by the service from recordings, by the explorer from what it was given.
	picture: [],
	concurrency: [],
	files: [],
	query: ['contract'],
	client: ['contract'],
	input: ['terminal'],
	sample: ['lerobot'],
	service: ['contract', 'lerobot', 'motion', 'sample', 'files', 'picture', 'concurrency'],
	upload: ['contract', 'client', 'files', 'concurrency'],
	store: ['contract', 'client', 'query', 'files', 'picture', 'concurrency'],
	hooks: ['contract', 'client', 'query', 'store', 'input', 'terminal'],
	components: ['hooks', 'input', 'terminal', 'picture'],
	panes: ['contract', 'query', 'store', 'hooks', 'components', 'input', 'terminal', 'picture'],
	views: ['contract', 'query', 'store', 'hooks', 'components', 'panes', 'input', 'terminal'],
	app: ['contract', 'store', 'hooks', 'components', 'panes', 'views', 'input', 'terminal'],
	commands: [
		'contract',
		'client',
		'query',
		'files',
		'service',
		'terminal',
		'store',
		'upload',
		'app',
		'concurrency',
	],
	cli: ['commands'],
};

/** Rooms, or single files of a room, that may import React and Ink. */
const touchesReact = new Set([
	'hooks',
	'components',
	'panes',
	'views',
	'app',
	'input/react',
	'commands/explore',
	'commands/print/',
]);

/** What the rest of the program may import of the embedded service: its front door alone. */
const serviceDoor = 'source/service/front-door.ts';

const root = path.resolve(import.meta.dirname, '..');
const sources = globSync('source/**/*.{ts,tsx}', {cwd: root});

/** `source/client/transport.ts` → `client`; `source/app.tsx` → `app`. */
function room(file: string): string {
	return file.split('/')[1]?.replace(/\.tsx?$/, '') ?? '';
}

/** Every module that a file imports, re-exports or loads later. */
function importsOf(file: string): string[] {
	const text = readFileSync(path.join(root, file), 'utf8');
	const statements = text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]/g);
	const bare = text.matchAll(/(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g);
	const later = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g);
	return [...statements, ...bare, ...later].flatMap(match => match[1] ?? []);
}

/** The project's files that a file imports, relative to the root. */
function projectImports(file: string): string[] {
	return importsOf(file)
		.filter(target => target.startsWith('.'))
		.map(target => path.join(path.dirname(file), target));
}

test('every room of source/ has its line in the table', () => {
	expect([...new Set(sources.map(room))].filter(name => !(name in mayImport))).toEqual([]);
});

test('imports between rooms point one way', () => {
	const wrong = sources.flatMap(file =>
		projectImports(file)
			.filter(target => target.startsWith('source/'))
			.filter(target => room(target) !== room(file) && !mayImport[room(file)]?.includes(room(target)))
			.map(target => `${file} imports ${target}`),
	);
	expect(wrong).toEqual([]);
});

test('the table itself has no way round', () => {
	const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
		(mayImport[from] ?? []).some(
			next => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
		);
	expect(Object.keys(mayImport).filter(name => reaches(name, name))).toEqual([]);
});

/** The groups of nodes that reach each other (Tarjan, 1972): the circles of a graph. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
	const index = new Map<string, number>();
	const low = new Map<string, number>();
	const stack: string[] = [];
	const circles: string[][] = [];
	const visit = (node: string) => {
		index.set(node, index.size);
		low.set(node, index.get(node) as number);
		stack.push(node);
		for (const next of graph.get(node) ?? []) {
			if (!index.has(next)) visit(next);
			if (stack.includes(next)) low.set(node, Math.min(low.get(node) as number, low.get(next) as number));
		}
		if (low.get(node) !== index.get(node)) return;
		const circle = stack.splice(stack.indexOf(node));
		if (circle.length > 1) circles.push(circle.sort());
	};
	for (const node of graph.keys()) if (!index.has(node)) visit(node);
	return circles;
}

test('no files import each other in a circle, types included', () => {
	expect(circlesOf(new Map(sources.map(file => [file, projectImports(file)])))).toEqual([]);
});

test('only the rooms that draw touch React and Ink', () => {
	const wrong = sources
		.filter(file => !touchesReact.has(room(file)))
		.filter(file => ![...touchesReact].some(allowed => file.startsWith(`source/${allowed}`)))
		.filter(file =>
			importsOf(file).some(target => /^(react|ink|ink-.*|@tanstack\/react-query)(\/|$)/.test(target)),
		);
	expect(wrong).toEqual([]);
});

test('commands reach the embedded service through its front door alone', () => {
	const wrong = sources
		.filter(file => room(file) !== 'service')
		.flatMap(file =>
			projectImports(file).filter(target => room(target) === 'service' && target !== serviceDoor),
		);
	expect(wrong).toEqual([]);
});

test('nothing in source/ imports from test/ or bench/', () => {
	const wrong = sources.filter(file => projectImports(file).some(target => !target.startsWith('source/')));
	expect(wrong.filter(file => !projectImports(file).every(target => target === 'package.json'))).toEqual([]);
});

/*
 * Folders of the store and of the panes.
 */

/** The features of the store, each of which imports only what stands before it. */
const storeFeatures = [
	'queries',
	'state',
	'facets',
	'episodes',
	'filter',
	'saved-views',
	'selection',
	'reviews',
	'pictures',
	'series',
	'artifacts',
	'export',
	'uploads',
	'jobs',
	'finetune',
	'activity',
];

/** Folders on the longest way from a folder of a room down to one that imports none, its root counted. */
const longestChain = 7;

/** For each folder of a room, those that its files import; `''` is the room's root. */
function folderGraph(roomName: string): ReadonlyMap<string, readonly string[]> {
	const base = `source/${roomName}`;
	const folderOf = (file: string) => path.relative(base, path.dirname(file));
	const graph = new Map<string, string[]>();
	for (const file of sources.filter(each => each.startsWith(`${base}/`))) {
		const from = folderOf(file);
		const known = graph.get(from) ?? [];
		for (const target of projectImports(file).filter(each => each.startsWith(`${base}/`))) {
			const to = folderOf(target);
			if (to !== from && !known.includes(to)) known.push(to);
		}
		graph.set(from, known);
	}
	return graph;
}

/** The longest way down from a folder of a graph without circles. */
function chainFrom(folder: string, graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
	const below = (graph.get(folder) ?? []).map(next => chainFrom(next, graph));
	return [folder, ...(below.sort((a, b) => b.length - a.length)[0] ?? [])];
}

describe.each(['store', 'panes'])('folders of %s', roomName => {
	const graph = folderGraph(roomName);

	test('none import each other in a circle', () => {
		expect(circlesOf(graph)).toEqual([]);
	});

	test('the root is imported by none of them', () => {
		expect([...graph].filter(([from, to]) => from !== '' && to.includes('')).map(([from]) => from)).toEqual(
			[],
		);
	});

	test(`no chain of them is longer than ${longestChain}`, () => {
		const chains = [...graph.keys()].map(folder => chainFrom(folder, graph));
		expect(chains.filter(({length}) => length > longestChain)).toEqual([]);
	});

	test('each has two files, or folders of its own', () => {
		const folders = [...graph.keys()].filter(folder => folder !== '');
		const lonely = folders.filter(folder => {
			const inside = `source/${roomName}/${folder}`;
			const files = sources.filter(file => path.dirname(file) === inside);
			return files.length < 2 && !folders.some(other => other.startsWith(`${folder}/`));
		});
		expect(lonely).toEqual([]);
	});
});

test('features of the store import only what stands before them', () => {
	const graph = folderGraph('store');
	const place = (folder: string) => storeFeatures.indexOf(folder);
	expect([...graph.keys()].filter(folder => folder !== '' && place(folder) < 0)).toEqual([]);
	const wrong = [...graph].flatMap(([from, targets]) =>
		targets.filter(to => from !== '' && place(to) > place(from)).map(to => `${from} imports ${to}`),
	);
	expect(wrong).toEqual([]);
});

test('only terminal/ writes escape sequences', () => {
	const sequence = /\\(x1b|u001b|u\{1b\}|033)/i;
	const wrong = sources
		.filter(file => room(file) !== 'terminal')
		.filter(file => sequence.test(readFileSync(path.join(root, file), 'utf8')));
	expect(wrong).toEqual([]);
});

/*
 * Folders of the embedded service.
 */

/** Folders on the longest way from a folder of the service down to one that imports none. */
const longestServiceChain = 7;

/** What of the service alone may name DuckDB: the lake's engine, and the child that writes what is staged for it. */
const namesDuckDb = /^source\/service\/(lake\/duckdb\/|ingest\/(staged-columns|staging-writer)\.ts$)/;

describe('folders of the service', () => {
	const files = sources.filter(file => file.startsWith('source/service/'));
	/** `source/service/routes/local/jobs.ts` → `routes`; `''` for a file of the room's root. */
	const folderOf = (file: string) => file.split('/').slice(2, -1)[0] ?? '';
	const graph = new Map<string, string[]>();
	for (const file of files) {
		const known = graph.get(folderOf(file)) ?? [];
		for (const target of projectImports(file).filter(each => each.startsWith('source/service/'))) {
			const to = folderOf(target);
			if (to !== folderOf(file) && !known.includes(to)) known.push(to);
		}
		graph.set(folderOf(file), known);
	}
	/** The files outside of `allowed` that import something of `wanted`. */
	const importersOf = (wanted: RegExp, allowed: RegExp) =>
		files
			.filter(file => !allowed.test(file))
			.flatMap(file =>
				projectImports(file)
					.filter(target => wanted.test(target))
					.map(target => `${file} imports ${target}`),
			);

	test('none import each other in a circle', () => {
		expect(circlesOf(graph)).toEqual([]);
		expect(circlesOf(folderGraph('service'))).toEqual([]);
	});

	test('the root is imported by none of them', () => {
		expect([...graph].filter(([from, to]) => from !== '' && to.includes(''))).toEqual([]);
	});

	test(`no chain of them is longer than ${longestServiceChain}`, () => {
		const chains = [...graph.keys()].filter(Boolean).map(folder => chainFrom(folder, graph));
		expect(chains.filter(({length}) => length > longestServiceChain)).toEqual([]);
	});

	test('each has two files, or folders of its own', () => {
		const folders = [...folderGraph('service').keys()].filter(Boolean);
		const lonely = folders.filter(
			folder =>
				files.filter(file => path.dirname(file) === `source/service/${folder}`).length < 2 &&
				!folders.some(other => other.startsWith(`${folder}/`)),
		);
		expect(lonely).toEqual([]);
	});

	test('DuckDB is named by the lake’s engine and the child that stages for it alone', () => {
		const wrong = files
			.filter(file => !namesDuckDb.test(file))
			.filter(file => importsOf(file).some(target => target.startsWith('@duckdb/')));
		expect(wrong).toEqual([]);
	});

	test('the names of DuckDB’s files are known to the lake’s engine alone', () => {
		const wrong = sources
			.filter(file => !file.startsWith('source/service/lake/duckdb/'))
			.filter(file =>
				/^(?!\s*(\*|\/\/|\/\*)).*lake\\?\.duckdb/m.test(readFileSync(path.join(root, file), 'utf8')),
			);
		expect(wrong).toEqual([]);
	});

	test('the lake’s engine and the trainer are chosen in daemon/', () => {
		const daemon = /^source\/service\/daemon\//;
		const engines = /^source\/service\/lake\/(duckdb|clickhouse)\//;
		expect(importersOf(engines, new RegExp(`${daemon.source}|${engines.source}`))).toEqual([]);
		const trainers = /^source\/service\/jobs\/trainers\//;
		expect(
			importersOf(
				/^source\/service\/jobs\/trainers\/(?!trainer\.ts$)/,
				new RegExp(`${daemon.source}|${trainers.source}`),
			),
		).toEqual([]);
	});

	test('statuses of HTTP are given by http/ and routes/ alone', () => {
		const allowed = /^source\/service\/(http|routes)\//;
		expect(importersOf(/^source\/service\/http\/http-problem\.ts$/, allowed)).toEqual([]);
	});
});
