import {type IBufferCell, Terminal} from '@xterm/headless';
import {giveOurWidths} from '../../../support/pty-widths.ts';

/** A terminal that is written to directly, on its alternate screen, with the widths that the program counts with. */
export function terminalOf(cols: number, rows: number): Terminal {
	const terminal = new Terminal({cols, rows, allowProposedApi: true});
	giveOurWidths(terminal);
	terminal.write('\u001b[?1049h\u001b[?7l');
	return terminal;
}

export function written(terminal: Terminal, bytes: string): Promise<void> {
	return new Promise(resolve => terminal.write(bytes, resolve));
}

/** Every cell with everything that it looks like, a line a row. */
export function looks(terminal: Terminal): string {
	const buffer = terminal.buffer.active;
	const cell = buffer.getNullCell();
	let text = '';
	for (let y = 0; y < terminal.rows; y++) {
		const line = buffer.getLine(buffer.viewportY + y);
		for (let x = 0; x < terminal.cols; x++) {
			line?.getCell(x, cell);
			text += cell.getWidth() === 1 ? cell.getChars() || ' ' : `${cell.getChars()}<${cell.getWidth()}>`;
			if (!cell.isAttributeDefault()) text += lookOf(cell);
		}
		text += '\n';
	}
	return text;
}

function lookOf(cell: IBufferCell): string {
	const flags = [
		cell.isBold(),
		cell.isDim(),
		cell.isItalic(),
		cell.isUnderline(),
		cell.isBlink(),
		cell.isInverse(),
		cell.isInvisible(),
		cell.isStrikethrough(),
		cell.isOverline(),
		cell.getFgColorMode(),
		cell.getFgColor(),
		cell.getBgColorMode(),
		cell.getBgColor(),
	];
	return `{${flags.join()}}`;
}
