import {expect, test} from 'vitest';
import {fileTree, type TreeRow, treeRows} from '../../../source/panes/artifacts/file-tree.ts';

const files = [
	{path: 'README.md', size: 10},
	{path: 'data/chunk-000/file-000.parquet', size: 300},
	{path: 'data/chunk-000/file-001.parquet', size: 200},
	{path: 'meta/info.json', size: 7},
];

test('folders stand first, with how many files and how much lie below them', () => {
	const [data, meta, readme] = fileTree(files);
	expect(data).toMatchObject({name: 'data', size: 500, fileCount: 2});
	expect(meta).toMatchObject({name: 'meta', size: 7, fileCount: 1});
	expect(readme).toMatchObject({name: 'README.md', size: 10, fileCount: undefined});
});

test('only unfolded folders show their files', () => {
	const tree = fileTree(files);
	expect(treeRows(tree, new Set())).toHaveLength(3);
	const rows = treeRows(tree, new Set(['data/', 'data/chunk-000/'])) as readonly TreeRow[];
	expect(rows.map(({node, depth}) => [node.name, depth])).toEqual([
		['data', 0],
		['chunk-000', 1],
		['file-000.parquet', 2],
		['file-001.parquet', 2],
		['meta', 0],
		['README.md', 0],
	]);
});

test('hostile paths are shown as plain names', () => {
	const deep = `${'a/'.repeat(5000)}b`;
	const tree = fileTree([
		{path: '../../etc/passwd', size: undefined},
		{path: '/root', size: 1},
		{path: deep, size: 1},
		{path: '', size: 1},
		{path: '__proto__/x', size: 1},
	]);
	expect(tree.map(({name}) => name)).toEqual(['..', '__proto__', 'a', '', 'root']);
	expect(tree[0]?.size).toBeUndefined();
});

test('a folder of thousands lists the first files and counts the rest', () => {
	const many = Array.from({length: 20_000}, (_, number) => ({path: `v/${number}.mp4`, size: 1}));
	const rows = treeRows(fileTree(many), new Set(['v/']));
	expect(rows).toHaveLength(2002);
	expect(rows.at(-1)).toEqual({left: 18_000, depth: 1});
});
