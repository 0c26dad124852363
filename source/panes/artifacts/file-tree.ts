import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {byteSize, counted} from '../../terminal/quantity.ts';
import type {OpenedLine} from '../list/opened-line.ts';

type FileLinesOptions = {
	readonly width: number;
	readonly screen: Screen;
	readonly unfolded: ReadonlySet<string>;
	readonly toggle: (folder: string) => void;
};

const sizeWidth = 9;
const countWidth = 12;

/** The tree of a dataset's files, folders with how many files and how much lie below them. */
export function fileLines(
	nodes: readonly TreeNode[],
	{width, screen, unfolded, toggle}: FileLinesOptions,
): readonly OpenedLine[] {
	const {signs, cell} = screen;
	return treeRows(nodes, unfolded).map((row): OpenedLine => {
		const indent = '  '.repeat(Math.min(row.depth, 8));
		if ('left' in row) return [' ', {text: `${indent}  and ${counted(row.left, 'file')} more`, role: 'dim'}];
		const {node, isOpen} = row;
		const isFolder = node.fileCount !== undefined;
		const mark = isFolder ? (isOpen ? signs.down : signs.folded) : ' ';
		const room = Math.max(4, width - indent.length - 3 - sizeWidth - countWidth - 1);
		const segments: readonly Segment[] = [
			' ',
			`${indent}${mark} `,
			cell(isFolder ? `${node.name}/` : node.name, room, {
				role: isFolder ? 'accent' : 'plain',
				cut: 'middle',
			}),
			cell(isFolder ? counted(node.fileCount ?? 0, 'file') : '', countWidth, {role: 'dim', align: 'right'}),
			cell(node.size === undefined ? signs.none : byteSize(node.size), sizeWidth, {align: 'right'}),
		];
		if (!isFolder) return segments;
		const enter = () => toggle(node.path);
		return {
			segments,
			target: {id: `folder ${node.path}`, description: isOpen ? 'fold' : 'unfold', enter},
		};
	});
}

/** A folder or a file of a dataset. */
type TreeNode = {
	/** The whole path, which tells it from all others. */
	readonly path: string;
	readonly name: string;
	/** In bytes, of a folder all below it; undefined where the service does not say. */
	readonly size: number | undefined;
	/** Files below a folder; undefined for a file. */
	readonly fileCount: number | undefined;
	readonly children: readonly TreeNode[];
};

type Folder = {readonly path: string; readonly folders: Map<string, Folder>; readonly files: TreeNode[]};

/** Deeper than this, the rest of a path is one name, since a path may have any depth. */
const deepest = 32;

function emptyFolder(path: string): Folder {
	return {path, folders: new Map(), files: []};
}

function sum(sizes: readonly (number | undefined)[]): number | undefined {
	if (sizes.some(size => size === undefined)) return undefined;
	return sizes.reduce<number>((all, size) => all + (size ?? 0), 0);
}

function nodesOf({folders, files}: Folder): readonly TreeNode[] {
	const nodes = [...folders].map(([name, folder]): TreeNode => {
		const children = nodesOf(folder);
		return {
			path: folder.path,
			name,
			size: sum(children.map(({size}) => size)),
			fileCount: children.reduce((all, {fileCount}) => all + (fileCount ?? 1), 0),
			children,
		};
	});
	const byName = (a: TreeNode, b: TreeNode) => (a.name < b.name ? -1 : 1);
	return [...nodes.sort(byName), ...[...files].sort(byName)];
}

/** The files as a tree, folders first. */
export function fileTree(
	files: readonly {readonly path: string; readonly size: number | undefined}[],
): readonly TreeNode[] {
	const root = emptyFolder('');
	for (const {path, size} of files) {
		const parts = path.split('/').filter(part => part !== '');
		const name = parts.slice(deepest).join('/') || (parts[parts.length - 1] ?? path);
		const above = parts.length > deepest ? parts.slice(0, deepest) : parts.slice(0, -1);
		let folder = root;
		for (const part of above) {
			let next = folder.folders.get(part);
			if (next === undefined) {
				next = emptyFolder(`${folder.path}${part}/`);
				folder.folders.set(part, next);
			}
			folder = next;
		}
		folder.files.push({path, name, size, fileCount: undefined, children: []});
	}
	return nodesOf(root);
}

/** A node where it stands: how deep, and whether it is unfolded. */
export type TreeRow = {readonly node: TreeNode; readonly depth: number; readonly isOpen: boolean};

/** Files of one folder that are listed. */
const mostOfFolder = 2000;

/** The rows that show where these folders are unfolded; a folder of thousands is cut, with the rest in `left`. */
export function treeRows(
	nodes: readonly TreeNode[],
	unfolded: ReadonlySet<string>,
	depth = 0,
): readonly (TreeRow | {readonly left: number; readonly depth: number})[] {
	const shown = nodes.slice(0, mostOfFolder).flatMap(node => {
		const isOpen = unfolded.has(node.path);
		return [{node, depth, isOpen}, ...(isOpen ? treeRows(node.children, unfolded, depth + 1) : [])];
	});
	const left = nodes.length - mostOfFolder;
	return left > 0 ? [...shown, {left, depth}] : shown;
}
