import type {Terminal} from '@xterm/headless';

/** How one cell looks. */
export type Cell = {
	readonly text: string;
	/** 2 under a wide glyph's left half, 0 under its right half. */
	readonly width: number;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly inverse: boolean;
	readonly underline: boolean;
	/** Colour number of the palette, 0xRRGGBB, or undefined for the terminal's own. */
	readonly foreground: number | undefined;
	readonly background: number | undefined;
};

/** The terminal's screen at one moment. */
export type Screen = {
	/** Every row, blanks at its end cut off. */
	readonly rows: readonly string[];
	/** The rows as one text. */
	readonly text: string;
	readonly columns: number;
	readonly isAlternate: boolean;
	readonly cursor: {readonly row: number; readonly column: number};
	/** The first row that holds the text. */
	row(text: string): string | undefined;
	/** Where a text stands: row and column of its first cell, from 0. */
	find(text: string): {readonly row: number; readonly column: number} | undefined;
	/** The cell at a row and column, from 0. */
	cell(row: number, column: number): Cell;
	/** How the first cell of a text looks; fails where it is not on the screen. */
	look(text: string): Cell;
};

/** Copies the visible part of the terminal: what comes later does not change it. */
export function captureScreen(terminal: Terminal): Screen {
	const buffer = terminal.buffer.active;
	const cells: Cell[][] = [];
	for (let row = 0; row < terminal.rows; row++) cells.push(captureRow(terminal, buffer.viewportY + row));
	const rows = cells.map(line =>
		line
			.map(cell => (cell.width === 0 ? '' : cell.text || ' '))
			.join('')
			.trimEnd(),
	);

	function find(text: string): {row: number; column: number} | undefined {
		for (const [row, line] of cells.entries()) {
			for (const [column, cell] of line.entries()) {
				if (cell.width === 0) continue;
				const rest = line.slice(column).map(({text: shown, width}) => (width === 0 ? '' : shown || ' '));
				if (rest.join('').startsWith(text)) return {row, column};
			}
		}
		return undefined;
	}

	function cell(row: number, column: number): Cell {
		const found = cells[row]?.[column];
		if (found === undefined) throw new Error(`no cell at row ${row}, column ${column}`);
		return found;
	}

	return {
		rows,
		text: rows.join('\n'),
		columns: terminal.cols,
		isAlternate: buffer.type === 'alternate',
		cursor: {row: buffer.cursorY, column: buffer.cursorX},
		row: text => rows.find(line => line.includes(text)),
		find,
		cell,
		look(text) {
			const at = find(text);
			if (at === undefined) throw new Error(`“${text}” is not on the screen:\n${frame(rows, terminal.cols)}`);
			return cell(at.row, at.column);
		},
	};
}

function captureRow(terminal: Terminal, row: number): Cell[] {
	const line = terminal.buffer.active.getLine(row);
	const cells: Cell[] = [];
	for (let column = 0; column < terminal.cols; column++) {
		const cell = line?.getCell(column);
		cells.push({
			text: cell?.getChars() ?? '',
			width: cell?.getWidth() ?? 1,
			bold: Boolean(cell?.isBold()),
			dim: Boolean(cell?.isDim()),
			inverse: Boolean(cell?.isInverse()),
			underline: Boolean(cell?.isUnderline()),
			foreground: cell === undefined || cell.isFgDefault() ? undefined : cell.getFgColor(),
			background: cell === undefined || cell.isBgDefault() ? undefined : cell.getBgColor(),
		});
	}
	return cells;
}

/** The rows in a frame, for the message of a failed expectation. */
export function frame(rows: readonly string[], columns: number): string {
	const rule = '─'.repeat(columns);
	return [`┌${rule}┐`, ...rows.map(row => `│${row}`), `└${rule}┘`].join('\n');
}
