import {mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {filesBelow} from '../../source/lerobot/find-data-files.ts';

let folder: string;
let root: string;

beforeEach(async () => {
	folder = await realpath(await mkdtemp(path.join(tmpdir(), 'lakescope-below-')));
	root = path.join(folder, 'dataset');
	await mkdir(path.join(root, 'data', 'chunk-000'), {recursive: true});
	await writeFile(path.join(root, 'data', 'chunk-000', 'file-000.parquet'), '');
});

afterEach(() => rm(folder, {recursive: true}));

test('links to folders that they lie in make no path without end', async () => {
	await symlink('.', path.join(root, 'data', 'again'));
	await symlink('..', path.join(root, 'data', 'up'));
	await symlink('../..', path.join(root, 'data', 'chunk-000', 'top'));
	expect(await filesBelow(root, 'data')).toEqual({files: ['data/chunk-000/file-000.parquet'], outward: []});
});

test('a folder goes by its own path, whatever a link to it is called', async () => {
	await symlink('chunk-000', path.join(root, 'data', 'a-link'));
	const {files} = await filesBelow(root, 'data');
	expect(files).toEqual(['data/chunk-000/file-000.parquet']);
});

test('a link to another folder of the dataset is entered', async () => {
	await mkdir(path.join(root, 'kept'));
	await writeFile(path.join(root, 'kept', 'file-001.parquet'), '');
	await symlink('../kept', path.join(root, 'data', 'chunk-001'));
	expect((await filesBelow(root, 'data')).files).toEqual([
		'data/chunk-000/file-000.parquet',
		'data/chunk-001/file-001.parquet',
	]);
});

test('a link to a folder outside is named and not entered', async () => {
	await mkdir(path.join(folder, 'elsewhere'));
	await writeFile(path.join(folder, 'elsewhere', 'file-002.parquet'), '');
	await symlink('../../elsewhere', path.join(root, 'data', 'chunk-002'));
	expect(await filesBelow(root, 'data')).toEqual({
		files: ['data/chunk-000/file-000.parquet'],
		outward: ['data/chunk-002'],
	});
	expect(await filesBelow(root, '../elsewhere')).toEqual({files: [], outward: []});
});
