import {existsSync, globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';

/*
 * Documents that name what exists.
 */

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sources = globSync('source/**/*.{ts,tsx}', {cwd: root});

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
