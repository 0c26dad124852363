import type {Clip, Grid} from './grid.ts';
import type {CellLine, LineReader} from './line-reader.ts';

/**
 * The part of Ink's own tree that is read here. Ink gives it to the `ref` of a box; a node's parents
 * lead up to the root, whose `onRender` Ink calls once a commit is laid out.
 */
export type InkNode = {
	readonly nodeName: string;
	readonly nodeValue?: string;
	readonly childNodes?: readonly InkNode[];
	readonly parentNode?: InkNode | undefined;
	readonly style?: Readonly<Record<string, unknown>>;
	readonly yogaNode?: YogaNode | undefined;
	readonly internal_transform?: ((text: string, line: number) => string) | undefined;
	readonly internal_static?: boolean;
	readonly isHidden?: boolean;
	onRender?: (() => void) | undefined;
};

type YogaNode = {
	getComputedLeft(): number;
	getComputedTop(): number;
	getComputedWidth(): number;
	getComputedHeight(): number;
	getDisplay(): number;
};

/** Yoga's number for a node that takes no part in the layout. */
const displayNone = 1;

/** Looks of a box that Ink draws with characters of its own. */
const decorations = ['borderStyle', 'backgroundColor', 'contentOffsetX', 'contentOffsetY'];

/**
 * Draws what Ink would. Ink cuts, measures and joins every line of the screen anew for each frame; most of them have
 * been read before.
 *
 * @returns false where the tree holds what is not drawn here: a border, a background, text that has to be wrapped.
 */
export function drawTree(root: InkNode, grid: Grid, reader: LineReader): boolean {
	return drawNode(root, 0, 0, grid.whole, {grid, reader});
}

/** The root of the tree that a node of Ink's belongs to. */
export function rootOf(node: InkNode): InkNode {
	return node.parentNode === undefined ? node : rootOf(node.parentNode);
}

type Target = {readonly grid: Grid; readonly reader: LineReader};

function drawNode(node: InkNode, left: number, top: number, clip: Clip, target: Target): boolean {
	const {yogaNode, style = {}} = node;
	if (yogaNode === undefined || yogaNode.getDisplay() === displayNone) return true;
	if (node.internal_static === true) return false;
	const x = left + yogaNode.getComputedLeft();
	const y = top + yogaNode.getComputedTop();
	if (node.nodeName === 'ink-text') return drawText(node, x, y, clip, target);
	if (node.internal_transform !== undefined || decorations.some(name => style[name] !== undefined))
		return false;
	const inner = clipped(node, x, y, clip);
	return (node.childNodes ?? []).every(child => drawNode(child, x, y, inner, target));
}

function clipped({style = {}, yogaNode}: InkNode, x: number, y: number, clip: Clip): Clip {
	const hidesX = (style.overflowX ?? style.overflow) === 'hidden';
	const hidesY = (style.overflowY ?? style.overflow) === 'hidden';
	if (yogaNode === undefined || !(hidesX || hidesY)) return clip;
	return {
		left: hidesX ? Math.max(clip.left, x) : clip.left,
		right: hidesX ? Math.min(clip.right, x + yogaNode.getComputedWidth()) : clip.right,
		top: hidesY ? Math.max(clip.top, y) : clip.top,
		bottom: hidesY ? Math.min(clip.bottom, y + yogaNode.getComputedHeight()) : clip.bottom,
	};
}

function drawText(node: InkNode, x: number, y: number, clip: Clip, {grid, reader}: Target): boolean {
	const text = textOf(node);
	if (text === undefined) return false;
	if (text === '') return true;
	const line: CellLine = reader.read(node.internal_transform?.(text, 0) ?? text);
	if (line.glyphs.length > (node.yogaNode?.getComputedWidth() ?? 0)) return false;
	grid.draw(line, x, y, clip);
	return true;
}

/** A text node's one line; undefined where it has several, or parts with looks of their own. */
function textOf(node: InkNode): string | undefined {
	const [child, another] = node.childNodes ?? [];
	if (child === undefined) return '';
	const {nodeValue} = child;
	if (another !== undefined || nodeValue === undefined || /[\n\r\t]/.test(nodeValue)) return undefined;
	return nodeValue;
}
