/** Where the terminal's cursor is and how it would write, both from 0. */
export type Pen = {
	/** -1 where it is not known: terminals differ after some glyphs and at the right edge. */
	x: number;
	y: number;
	style: number;
};

/** A step of so many cells, or a column: one is what is meant without a number. */
const csi = (final: string, number: number) => `\u001b[${number === 1 ? '' : number}${final}`;

function place(x: number, y: number): string {
	if (x === 0) return csi('H', y + 1);
	return `\u001b[${y === 0 ? '' : y + 1};${x + 1}H`;
}

/**
 * The shortest way for the cursor. A line feed goes together with a carriage return alone: whether the terminal adds
 * one by itself is not known in raw mode.
 */
export function move(pen: Readonly<Pen>, x: number, y: number): string {
	if (pen.x === x && pen.y === y) return '';
	let best = place(x, y);
	let least = best.length;
	const offer = (way: string, bytes = way.length) => {
		if (bytes >= least) return;
		least = bytes;
		best = way;
	};
	const down = y - pen.y;
	const vertical = down === 0 ? '' : csi(down > 0 ? 'B' : 'A', Math.abs(down));
	offer(vertical + along(pen.x, x));
	offer(`${vertical}\r${along(0, x)}`);
	if (down > 0 && down < 4) {
		const way = `\r${'\n'.repeat(down)}${along(0, x)}`;
		// The kernel makes two bytes of a line feed.
		offer(way, way.length + down);
	}
	return best;
}

/** Along a row. @param from -1 where it is not known. */
function along(from: number, to: number): string {
	if (from === to) return '';
	if (to === 0) return '\r';
	const column = csi('G', to + 1);
	if (from < 0) return column;
	const distance = Math.abs(to - from);
	const step = to < from && distance < 4 ? '\b'.repeat(distance) : csi(to > from ? 'C' : 'D', distance);
	return step.length <= column.length ? step : column;
}
