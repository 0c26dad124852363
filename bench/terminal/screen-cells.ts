import type {Terminal} from '@xterm/headless';

/** A cell of the screen as a writer has to know it. */
export type ScreenCell = {
	/** `''` behind the first cell of a wide glyph. */
	readonly text: string;
	/** SGR parameters that give the colours, `''` for the terminal's own. */
	readonly foreground: string;
	readonly background: string;
	readonly attributes: readonly boolean[];
	/** All of the look, for comparing. */
	readonly look: string;
};

export type ScreenCells = readonly (readonly ScreenCell[])[];

/**
 * The attributes that count: those that ttybench's model of a terminal knows. It has none for dim, so a change from dim
 * to bright is not in the floor and is in our bytes.
 */
export const attributeCodes = [
	['1', '22'],
	['3', '23'],
	['4', '24'],
	['7', '27'],
	['9', '29'],
] as const;

const rgb = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255].join(';');

export function screenCells(terminal: Terminal): ScreenCells {
	const {active} = terminal.buffer;
	const cell = active.getNullCell();
	return Array.from({length: terminal.rows}, (_, y) => {
		const line = active.getLine(active.viewportY + y);
		return Array.from({length: terminal.cols}, (__, x): ScreenCell => {
			line?.getCell(x, cell);
			const colour = (base: number, number: number, isDefault: boolean, isRgb: boolean) => {
				if (isDefault) return '';
				if (isRgb) return `${base + 8};2;${rgb(number)}`;
				if (number < 16) return String(number < 8 ? base + number : base + 52 + number);
				return `${base + 8};5;${number}`;
			};
			const foreground = colour(30, cell.getFgColor(), cell.isFgDefault(), cell.isFgRGB());
			const background = colour(40, cell.getBgColor(), cell.isBgDefault(), cell.isBgRGB());
			const attributes = [
				cell.isBold(),
				cell.isItalic(),
				cell.isUnderline(),
				cell.isInverse(),
				cell.isStrikethrough(),
			].map(Boolean);
			return {
				text: cell.getWidth() === 0 ? '' : cell.getChars() || ' ',
				foreground,
				background,
				attributes,
				look: `${foreground}|${background}|${attributes.join()}`,
			};
		});
	});
}
