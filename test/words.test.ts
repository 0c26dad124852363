import {existsSync, globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';

/*
 * The field's words, and documents that name what exists. Short lists of what was once here and should not come back.
 */

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = globSync('source/**/*.{ts,tsx}', {cwd: root});

/** Private names, each with its plain word. */
const privateNames = {
	Desk: 'Controller or Service',
	Keeper: 'Manager, or the noun itself',
	Lookout: 'ActivityMonitor',
	Findbook: 'the noun itself',
	Lane: 'Queue',
	Deeds: 'actions',
	Scene: 'Session',
};

/** Phrases of sentences that the program prints, each with its plain word. */
const translated: ReadonlyMap<RegExp, string> = new Map([
	[/\b(not|is|are|was|were|nothing|never) taken in\b(?! this)|\btaken in (first|again)\b/i, 'ingested'],
	[/\btakes? (them|it|datasets) in\b|\btake in\b|\btaking in\b/i, 'ingest'],
	[/by nobody|\bnobody (can|said|tells|has|knows)\b|\bwhoever\b|\bsomebody\b/i, 'name the person or thing'],
	[/\btake it, go on\b/, 'next'],
	[/\bleave it as it was\b/, 'cancel'],
	[/\bdraw it, or not\b/, 'toggle'],
	[/\bas at first\b/, 'defaults'],
	[/\binterface hash\b/i, 'embodiment or layout'],
	[/\bhow-manieth\b|\boftener\b/i, 'index, more often'],
	[/\bset right\b/i, 'fixed'],
]);

/** A file's code without its comments; lines keep their numbers. */
function codeOf(file: string): string {
	return read(file)
		.replaceAll(/\/\*[\s\S]*?\*\//g, comment => comment.replaceAll(/[^\n]/g, ''))
		.replaceAll(/(^|\s)\/\/ .*$/gm, '$1');
}

describe('plain words', () => {
	const names = Object.keys(privateNames);
	const declared = new RegExp(
		`\\b(?:class|type|interface|function|const|let)\\s+(\\w*(?:${names.join('|')})(?![a-z])\\w*)`,
		'g',
	);

	test('no file and no declaration has a private name', () => {
		const kebab = names.map(name => name.replaceAll(/(?<=.)([A-Z])/g, '-$1').toLowerCase());
		const named = new RegExp(`(^|[/-])(${kebab.join('|')})([-./]|$)`);
		const wrong = sources.flatMap(file => [
			...(named.test(file) ? [file] : []),
			...[...codeOf(file).matchAll(declared)].map(([, name]) => `${file}: ${name}`),
		]);
		expect(wrong).toEqual([]);
	});

	test('no sentence that the program prints is translated', () => {
		const wrong = sources.flatMap(file =>
			codeOf(file)
				.split('\n')
				.flatMap((line, index) =>
					[...translated]
						.filter(([phrase]) => phrase.test(line))
						.map(([, instead]) => `${file}:${index + 1}: ${line.trim()} (instead: ${instead})`),
				),
		);
		expect(wrong).toEqual([]);
	});

	test('no comment begins as a relative clause or names a person without a name', () => {
		const clause = /^\s*(?:\/\*\*|\/\/|\*) (?:What|Who|Whose|Whom|Whether)\b/;
		const person = /\b(?:nobody|whoever|somebody)\b/i;
		const wrong = sources.flatMap(file =>
			read(file)
				.split('\n')
				.flatMap((line, index) =>
					clause.test(line) || person.test(line) ? `${file}:${index + 1}: ${line.trim()}` : [],
				),
		);
		expect(wrong).toEqual([]);
	});
});

describe('documents', () => {
	const documents = globSync(['*.md', 'docs/**/*.md'], {cwd: root});
	const files = globSync(['*', '{source,test,bench,build,docs}/**/*'], {
		cwd: root,
		exclude: file => file === 'node_modules' || file === 'dist',
	});

	test('every source file and folder that ARCHITECTURE.md and docs/ name exists', () => {
		const exists = (name: string) => files.some(file => `/${file}`.endsWith(`/${name}`));
		const wrong = documents.flatMap(document =>
			[...read(document).matchAll(/`((?:\w[\w.-]*\/)*\w[\w.-]*\.tsx?)`/g)]
				.map(([, name = '']) => name)
				.filter(name => !exists(name))
				.map(name => `${document}: ${name}`),
		);
		const folders = [...read('ARCHITECTURE.md').matchAll(/`((?:[\w-]+\/)+)`/g)]
			.map(([, name = '']) => name.slice(0, -1))
			.filter(name => !exists(name));
		expect([...wrong, ...folders]).toEqual([]);
	});

	test('every folder of source/ is in the picture of ARCHITECTURE.md', () => {
		const [, picture = ''] = read('ARCHITECTURE.md').split('```');
		const drawn = new Set([...picture.matchAll(/([\w-]+)\//g)].map(([, name]) => name));
		const folders = new Set(sources.flatMap(file => path.dirname(file).split(path.sep)));
		// Folders of panes bear the names of the store's features; other small ones are named by their parents' lines.
		const own = globSync('source/{*,store/*,service/*}/', {cwd: root}).map(folder => path.basename(folder));
		expect(own.filter(folder => folders.has(folder) && !drawn.has(folder))).toEqual([]);
	});

	test('links between documents lead somewhere', () => {
		const anchorsOf = (text: string) =>
			[...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
				title
					.toLowerCase()
					.replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
					.replaceAll(' ', '-'),
			);
		const wrong = documents.flatMap(document =>
			[...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
				.filter(([, target = '', anchor]) => {
					const file = target === '' ? document : path.join(path.dirname(document), target);
					if (!existsSync(path.join(root, file))) return true;
					return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
				})
				.map(([link]) => `${document}: ${link}`),
		);
		expect(wrong).toEqual([]);
	});

	test('README and ARCHITECTURE can be read at one sitting', () => {
		const lines = (file: string) => read(file).split('\n').length - 1;
		expect(lines('README.md')).toBeLessThanOrEqual(250);
		expect(lines('ARCHITECTURE.md')).toBeLessThanOrEqual(250);
	});
});
