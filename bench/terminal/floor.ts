import {attributeCodes, type ScreenCell, type ScreenCells} from './screen-cells.ts';

/** The least that a change of the screen costs. */
export type Floor = {readonly cells: number; readonly bytes: number};

type Cursor = {readonly x: number; readonly y: number};

const plain: ScreenCell = {
	text: ' ',
	foreground: '',
	background: '',
	attributes: attributeCodes.map(() => false),
	look: `||${attributeCodes.map(() => false).join()}`,
};

const isSame = (a: ScreenCell, b: ScreenCell) => a.text === b.text && a.look === b.look;

/**
 * The bytes of a greedy writer that knows both screens: only cells that differ, the shortest cursor moves and looks, one
 * region scrolled first where that is shorter. The same measure as ttybench's floor; synchronized output is not in it.
 */
export function floorOf(before: ScreenCells, after: ScreenCells, cursor: Cursor): Floor {
	let best = cellFloor(before, after, cursor);
	for (const {top, bottom, by} of likelyScrolls(before, after)) {
		const region = before.slice(top, bottom + 1);
		const blanks = Array.from({length: Math.abs(by)}, () => (before[0] ?? []).map(() => plain));
		const moved = by > 0 ? [...region.slice(by), ...blanks] : [...blanks, ...region.slice(0, by)];
		const scrolled = [...before.slice(0, top), ...moved, ...before.slice(bottom + 1)];
		const {cells, bytes} = cellFloor(scrolled, after, {x: 0, y: 0});
		const order = `\u001b[${top + 1};${bottom + 1}r\u001b[${Math.abs(by)}S\u001b[r`;
		if (bytes + order.length < best.bytes) best = {cells, bytes: bytes + order.length};
	}
	return best;
}

function likelyScrolls(before: ScreenCells, after: ScreenCells) {
	const key = (row: readonly ScreenCell[]) => row.map(({text, look}) => `${text}${look}`).join('\n');
	const old = before.map(key);
	const rows = new Map<number, number[]>();
	for (const [y, row] of after.map(key).entries()) {
		if (old[y] === row) continue;
		for (const [from, other] of old.entries())
			if (from !== y && other === row) rows.set(from - y, [...(rows.get(from - y) ?? []), y]);
	}
	return [...rows]
		.sort(([, a], [, b]) => b.length - a.length)
		.slice(0, 3)
		.map(([by, ys]) => {
			const [first, last] = [Math.min(...ys), Math.max(...ys)];
			return {by, top: Math.min(first, first + by), bottom: Math.max(last, last + by)};
		});
}

function cellFloor(before: ScreenCells, after: ScreenCells, cursor: Cursor): Floor {
	let bytes = 0;
	let cells = 0;
	let {x: cx, y: cy} = cursor;
	let look = plain;
	const go = (x: number, y: number, cost: number) => {
		bytes += cost;
		[cx, cy] = [x, y];
	};
	for (const [y, row] of after.entries()) {
		const old = before[y] ?? [];
		const end = blankFrom(old, row);
		for (let x = 0; x < end; x++) {
			const cell = row[x] ?? plain;
			const differs = !isSame(old[x] ?? plain, cell);
			if (differs) cells++;
			if (!differs || cell.text === '') continue;
			let way = moveLength(cx, cy, x, y);
			const gap = cy === y && x > cx ? row.slice(cx, x) : [];
			const gapBytes = Buffer.byteLength(gap.map(({text}) => text).join(''));
			if (gap.length > 0 && gapBytes <= way && gap.every(between => between.look === look.look))
				way = gapBytes;
			bytes += lookLength(look, cell) + Buffer.byteLength(cell.text);
			look = cell;
			go(x + (row[x + 1]?.text === '' ? 2 : 1), y, way);
		}
		if (end === row.length) continue;
		const blank = row.at(-1) ?? plain;
		for (let x = end; x < row.length; x++) if (!isSame(old[x] ?? plain, row[x] ?? plain)) cells++;
		bytes += lookLength(look, blank) + '\u001b[K'.length;
		look = blank;
		go(end, y, moveLength(cx, cy, end, y));
	}
	return {cells, bytes: bytes + (look.look === plain.look ? 0 : '\u001b[m'.length)};
}

/** Where a run of blanks that reaches the right edge begins, if any of it has changed. */
function blankFrom(old: readonly ScreenCell[], row: readonly ScreenCell[]): number {
	const blank = row.at(-1) ?? plain;
	const [, , isUnderlined, isInverse] = blank.attributes;
	if (blank.text !== ' ' || isUnderlined || isInverse) return row.length;
	let start = row.length;
	while (start > 0 && isSame(row[start - 1] ?? plain, blank)) start--;
	return row.slice(start).some((cell, at) => !isSame(old[start + at] ?? plain, cell)) ? start : row.length;
}

function moveLength(cx: number, cy: number, x: number, y: number): number {
	if (cx === x && cy === y) return 0;
	const ways = [x > 0 ? `\u001b[${y + 1};${x + 1}H` : y > 0 ? `\u001b[${y + 1}H` : '\u001b[H'];
	const count = (distance: number) => (distance === 1 ? '' : String(distance));
	if (cy === y) {
		ways.push(`\u001b[${count(Math.abs(x - cx))}C`);
		if (x === 0) ways.push('\r');
		if (cx - x > 0 && cx - x <= 3) ways.push('\b'.repeat(cx - x));
	} else if (x === 0 && y - cy > 0 && y - cy <= 4) ways.push(`\r${'\n'.repeat(y - cy)}`);
	else if (x === cx && y - cy > 0 && y - cy <= 3) ways.push('\n'.repeat(y - cy));
	if (x === cx && cy !== y) ways.push(`\u001b[${count(Math.abs(y - cy))}B`);
	return Math.min(...ways.map(way => way.length));
}

function lookLength(from: ScreenCell, to: ScreenCell): number {
	if (from.look === to.look) return 0;
	const all = to.attributes.flatMap((isOn, at) => (isOn ? [attributeCodes[at]?.[0] ?? ''] : []));
	if (to.foreground !== '') all.push(to.foreground);
	if (to.background !== '') all.push(to.background);
	const anew = all.length === 0 ? '\u001b[m' : `\u001b[0;${all.join(';')}m`;
	const changes = to.attributes.flatMap((isOn, at) =>
		isOn === from.attributes[at] ? [] : [attributeCodes[at]?.[isOn ? 0 : 1] ?? ''],
	);
	if (from.foreground !== to.foreground) changes.push(to.foreground || '39');
	if (from.background !== to.background) changes.push(to.background || '49');
	return Math.min(anew.length, `\u001b[${changes.join(';')}m`.length);
}
