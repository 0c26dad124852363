import {existsSync, globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {commandNames} from '../source/commands/registry.ts';
import {endpoints} from '../source/contract/endpoints.ts';

const root = path.join(import.meta.dirname, '..');
const page = (name: string) => readFileSync(path.join(root, name), 'utf8');

test('docs/service.md says of every endpoint of the interface from where the explorer comes to it', () => {
	const told = [...page('docs/service.md').matchAll(/^\| (GET|POST) (\/v1\/\S+) \| (.+) \|$/gm)];
	// The table calls every id {id}.
	const known = Object.values(endpoints).map(
		({method, path: at}) => `${method} ${at.replaceAll(/\{\w+\}/g, '{id}')}`,
	);
	expect(told.map(([, method, at]) => `${method} ${at}`).sort()).toEqual([...known].sort());
});

test('the README tells of every command', () => {
	const [, table = ''] = page('README.md').split('## Command line');
	const told = [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, names = '']) =>
		[...names.matchAll(/`([a-z-]+)/g)].map(([, name]) => name),
	);
	expect(commandNames.filter(name => !told.includes(name))).toEqual([]);
});

test('links of README, ARCHITECTURE and docs lead to files and headings that are there', () => {
	const pages = ['README.md', 'ARCHITECTURE.md', ...globSync('docs/**/*.md', {cwd: root})];
	const slug = (heading: string) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-');
	const headings = (name: string) =>
		[...page(name).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));
	const broken = pages.flatMap(from =>
		[...page(from).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
			.filter(([, to = '', anchor]) => {
				const file = to === '' ? from : path.join(path.dirname(from), to);
				return (
					!existsSync(path.join(root, file)) || (anchor !== undefined && !headings(file).includes(anchor))
				);
			})
			.map(([link]) => `${from}: ${link}`),
	);
	expect(broken).toEqual([]);
});

test('README and ARCHITECTURE stay within 250 lines', () => {
	for (const name of ['README.md', 'ARCHITECTURE.md']) {
		expect(page(name).split('\n').length, name).toBeLessThanOrEqual(250);
	}
});
