import {printable} from '../terminal/printable.ts';
import {fitTo, textWidth} from '../terminal/width.ts';

export type Column = {
	readonly title: string;
	/** @default 'left' */
	readonly align?: 'left' | 'right';
	/** The cells it may be cut down to when the table is too wide; not cut without it. */
	readonly least?: number;
};

const gap = 2;

/** Takes what is too much from the widest of the columns that may be cut. */
function cutDown(widths: number[], columns: readonly Column[], width: number): number[] {
	const cut = [...widths];
	const total = () => cut.reduce((sum, each) => sum + each, 0) + gap * (cut.length - 1);
	for (let excess = total() - width; excess > 0 && Number.isFinite(excess); excess = total() - width) {
		const room = cut.map((each, i) => each - (columns[i]?.least ?? each));
		const widest = cut.findIndex(
			(each, i) => (room[i] ?? 0) > 0 && each === Math.max(...cut.filter((_, j) => (room[j] ?? 0) > 0)),
		);
		if (widest < 0) break;
		cut[widest] = (cut[widest] ?? 0) - 1;
	}
	return cut;
}

/** Lines of an aligned table with its titles first, no wider than `width` where its columns allow that. */
export function table(
	columns: readonly Column[],
	rows: readonly (readonly string[])[],
	width: number,
): readonly string[] {
	const cells = rows.map(row => row.map(cell => printable(cell)));
	const natural = columns.map(({title}, i) =>
		Math.max(textWidth(title), ...cells.map(row => textWidth(row[i] ?? ''))),
	);
	const widths = cutDown(natural, columns, width);
	const lines = [columns.map(({title}) => title), ...cells].map(row =>
		row
			.map((cell, i) => fitTo(cell, widths[i] ?? 0, {align: columns[i]?.align ?? 'left'}))
			.join(' '.repeat(gap))
			.trimEnd(),
	);
	return Number.isFinite(width) ? lines.map(line => fitTo(line, width).trimEnd()) : lines;
}
