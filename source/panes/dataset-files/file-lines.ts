import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {byteSize, counted} from '../../terminal/quantity.ts';
import type {OpenedLine} from '../list/opened-line.ts';
import {type TreeNode, treeRows} from './file-tree.ts';

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
