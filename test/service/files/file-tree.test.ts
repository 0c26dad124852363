import {mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {datasetFileLimits} from '../../../source/contract/files.ts';
import {datasetCard} from '../../../source/service/files/dataset-files.ts';
import {fileTree} from '../../../source/service/files/file-tree.ts';

let folder: string;
let root: string;
beforeEach(async () => {
	folder = await realpath(await mkdtemp(path.join(tmpdir(), 'lakescope-files-')));
	root = path.join(folder, 'dataset');
	await put('meta/info.json', '{}');
	await put('data/chunk-000/file-000.parquet', 'PAR1');
});
afterEach(() => rm(folder, {recursive: true}));

async function put(file: string, content: string | Buffer): Promise<void> {
	await mkdir(path.dirname(path.join(root, file)), {recursive: true});
	await writeFile(path.join(root, file), content);
}

const whole = [
	{path: 'data/chunk-000/file-000.parquet', size: 4},
	{path: 'meta/info.json', size: 2},
];

describe('the files of a dataset', () => {
	test('are listed with their sizes in the order of their paths, hostile names as they are', async () => {
		const odd = 'notes\u001b[31m\n"\u202e.txt';
		await put(odd, 'abc');
		await put('.gitattributes', 'x');
		await put('.cache/huggingface/x.lock', '');
		expect(await fileTree(root)).toEqual({
			files: [{path: '.gitattributes', size: 1}, ...whole, {path: odd, size: 3}],
			truncated: false,
			leftOut: 0,
		});
	});

	test('never are those of elsewhere: links out and odd things are counted, links inside are files', async () => {
		await mkdir(path.join(folder, 'secret'));
		await writeFile(path.join(folder, 'secret/key'), 'secret');
		await symlink(path.join(folder, 'secret/key'), path.join(root, 'key'));
		await symlink('../secret', path.join(root, 'secrets'));
		await symlink('.', path.join(root, 'again'));
		await symlink('nowhere', path.join(root, 'dangling'));
		await symlink('meta/info.json', path.join(root, 'z-info'));
		const socket = createServer();
		await new Promise<void>(resolve => socket.listen(path.join(root, 'socket'), resolve));
		try {
			const tree = await fileTree(root);
			expect(tree.files).toEqual([...whole, {path: 'z-info', size: 2}]);
			expect(tree.leftOut).toBe(5);
		} finally {
			await new Promise(resolve => socket.close(resolve));
		}
	});

	test('are bounded in number and in depth, and it is said', async () => {
		for (let number = 0; number < 10; number++) await put(`many/${number}`, '');
		expect(await fileTree(root, {files: 5, depth: 9})).toMatchObject({
			files: {length: 5},
			truncated: true,
		});
		await put('a/b/c/deep', '');
		const shallow = await fileTree(root, {files: 100, depth: 2});
		expect(shallow.truncated).toBe(true);
		expect(shallow.files.map(file => file.path)).not.toContain('a/b/c/deep');
	});
});

describe('the dataset card', () => {
	test('is the Markdown below the front matter', async () => {
		await put('README.md', '---\nlicense: mit\ntitle: a---b\n---\n\n# Towels\n\n---\nmore\n');
		expect(await datasetCard(root)).toEqual({
			text: '# Towels\n\n---\nmore\n',
			frontMatter: 'license: mit\ntitle: a---b',
			truncated: false,
		});
		await put('README.md', '# Towels\r\n---\r\n');
		expect(await datasetCard(root)).toEqual({
			text: '# Towels\r\n---\r\n',
			frontMatter: null,
			truncated: false,
		});
		await put('README.md', '---\r\n---\r\nbody');
		expect(await datasetCard(root)).toMatchObject({text: 'body', frontMatter: ''});
	});

	test('is cut at its bound, between two characters', async () => {
		const limit = datasetFileLimits.readmeBytes;
		await put('README.md', `${'x'.repeat(limit - 1)}ä and more`);
		expect(await datasetCard(root)).toMatchObject({text: 'x'.repeat(limit - 1), truncated: true});
	});

	test('is none where there is no file, or one that leads out', async () => {
		expect(await datasetCard(root)).toBeUndefined();
		await writeFile(path.join(folder, 'secret'), 'secret');
		await symlink('../secret', path.join(root, 'README.md'));
		expect(await datasetCard(root)).toBeUndefined();
		await rm(path.join(root, 'README.md'));
		await mkdir(path.join(root, 'README.md'));
		expect(await datasetCard(root)).toBeUndefined();
	});
});
