import {mkdir, mkdtemp, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {
	defaultDataPath,
	fillTemplate,
	locate,
	templateFolder,
	templateMatcher,
} from '../../source/lerobot/layout.ts';

describe('path templates', () => {
	test('are filled as Python would', () => {
		expect(fillTemplate(defaultDataPath, {chunk_index: 2, file_index: 1234})).toBe(
			'data/chunk-002/file-1234.parquet',
		);
		expect(fillTemplate('videos/{video_key}/{file_index}.mp4', {video_key: 'top', file_index: 7})).toBe(
			'videos/top/7.mp4',
		);
	});

	test('are not padded beyond what a file is called', () => {
		const greedy = 'data/{file_index:0500000000d}.parquet';
		expect(fillTemplate(greedy, {file_index: 7})).toBe(greedy);
	});

	test('know their own files again', () => {
		const matches = templateMatcher(defaultDataPath);
		expect(matches('data/chunk-000/file-012.parquet')).toBe(true);
		expect(matches('data/chunk-000/file-012.parquet.bak')).toBe(false);
		expect(matches('data/chunk-000/fileX012Xparquet')).toBe(false);
		expect(templateFolder(defaultDataPath)).toBe('data');
		expect(templateFolder('frames/all-{file_index}.parquet')).toBe('frames');
	});

	test.each([
		['data/{chunk_index}{file_index:03d}', 'data/a1', true],
		['data/{chunk_index}{file_index:03d}', 'data/1', false],
		['data/{chunk_index}{file_index:03d}', 'data/a1b', false],
		['data/{a}-{b}-{c}', 'data/1-2-3-4', true],
		['data/{a}-{b}-{c}', 'data/1/2-3-4', false],
		['{a:02d}{b}x{c:02d}', '123xx4', true],
		['{a:02d}{b}x{c:02d}', '123xxx', false],
		['data/file', 'data/file', true],
		['data/file', 'data/file2', false],
		['(.*)+{a}', '(.*)+1', true],
		['(.*)+{a}', 'aaaa', false],
	])('%j matches %j: %s', (template, path, expected) => {
		expect(templateMatcher(template)(path)).toBe(expected);
	});

	test('of many placeholders are matched at once', () => {
		for (const name of ['{a}', '{a:03d}', '{a}1', '{a:02d}1']) {
			expect(templateMatcher(`data/${name.repeat(60)}.parquet`)(`data/${'1'.repeat(4000)}.parque`)).toBe(
				false,
			);
		}
	});
});

describe('a file of a dataset', () => {
	let folder: string;
	let root: string;
	beforeEach(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'lakescope-layout-')));
		root = path.join(folder, 'dataset');
		await mkdir(path.join(root, 'data'), {recursive: true});
		await writeFile(path.join(root, 'data/inside'), '');
		await writeFile(path.join(folder, 'secret'), '');
	});
	afterEach(() => rm(folder, {recursive: true}));

	test('is found inside', async () => {
		expect(await locate(root, 'data/inside')).toEqual({found: true, path: path.join(root, 'data/inside')});
		await symlink('inside', path.join(root, 'data/link'));
		expect(await locate(root, 'data/link')).toMatchObject({found: true});
	});

	test('is said to be missing', async () => {
		expect(await locate(root, 'data/none')).toEqual({found: false, reason: 'missing'});
		expect(await locate(root, 'data/inside/none')).toEqual({found: false, reason: 'missing'});
	});

	test.each(['../secret', 'data/../../secret', '/etc/passwd', '.', 'data/\0'])('cannot be %j', async file => {
		expect(await locate(root, file)).toEqual({found: false, reason: 'outside'});
	});

	test('cannot be a link that leads out, nor lie behind one', async () => {
		await symlink('../../secret', path.join(root, 'data/way-out'));
		await symlink(folder, path.join(root, 'up'));
		expect(await locate(root, 'data/way-out')).toEqual({found: false, reason: 'outside'});
		expect(await locate(root, 'up/secret')).toEqual({found: false, reason: 'outside'});
	});
});
