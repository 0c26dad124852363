import type {Cell, Screen} from '../support/pty.ts';

export type Theme = 'dark' | 'light';

/** What the terminals that show the pictures are like: text, ground and the sixteen colours. */
const looks: Readonly<
	Record<Theme, {readonly text: string; readonly ground: string; readonly palette: readonly string[]}>
> = {
	dark: {
		text: '#d4d7dd',
		ground: '#16181d',
		palette: [
			...['#2b2e36', '#e06c75', '#8cc570', '#d9b36c', '#61afef', '#c678dd', '#4fb9c6', '#c3c8d1'],
			...['#7d8594', '#ff8a92', '#a5e08a', '#f2cd85', '#86c5ff', '#dd9df0', '#73d6e2', '#ffffff'],
		],
	},
	light: {
		text: '#24292f',
		ground: '#ffffff',
		palette: [
			...['#24292f', '#c0202d', '#1f7a33', '#8a5c00', '#0a58c2', '#8331b5', '#11727f', '#6b727b'],
			...['#6e7781', '#d1242f', '#1a7f37', '#9a6700', '#0969da', '#9a3fd0', '#1b7c83', '#8c959f'],
		],
	},
};

const [cellWidth, cellHeight, baseline] = [8, 17, 13];

/** A palette's colour as xterm numbers them: sixteen, a cube of 6 × 6 × 6, 24 greys. Higher numbers are 0xRRGGBB. */
function colourOf(value: number, palette: readonly string[]): string {
	const hex = (...parts: number[]) => `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`;
	if (value < 16) return palette[value] ?? '';
	if (value > 255) return `#${value.toString(16).padStart(6, '0')}`;
	if (value >= 232) return hex(...Array<number>(3).fill(8 + (value - 232) * 10));
	const step = (part: number) => (part === 0 ? 0 : 55 + part * 40);
	const cube = value - 16;
	return hex(step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6));
}

const box = (x: number, y: number, width: number, height: number) =>
	`M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
const round = (value: number) => Number(value.toFixed(2));

/** Which arms the lines of a frame have: up, right, down, left; 2 is a heavy one. */
const arms: Readonly<Record<string, string>> = {
	'─': '0101',
	'━': '0202',
	'│': '1010',
	'┃': '2020',
	'┌': '0110',
	'┐': '0011',
	'└': '1100',
	'┘': '1001',
	'├': '1110',
	'┤': '1011',
	'┬': '0111',
	'┴': '1101',
	'┼': '1111',
	'┯': '0212',
	'┷': '1202',
	'┿': '1212',
	'┝': '1210',
	'┥': '1012',
	'╭': '0110',
	'╮': '0011',
	'╰': '1100',
	'╯': '1001',
	'┠': '2120',
	'┨': '2021',
	'┏': '0220',
	'┓': '0022',
	'┗': '2200',
	'┛': '2002',
	'┣': '2220',
	'┫': '2022',
	'┳': '0222',
	'┻': '2202',
	'╋': '2222',
};

/** The outline of a character that is a drawing: a font may lack it, and would leave gaps between rows. */
function drawn(text: string, x: number, y: number): string | undefined {
	const code = text.codePointAt(0) ?? 0;
	if (code >= 0x2581 && code <= 0x2588) {
		const height = ((code - 0x2580) / 8) * cellHeight;
		return box(x, y + cellHeight - height, cellWidth, height);
	}
	if (code >= 0x2589 && code <= 0x258f) return box(x, y, ((0x2590 - code) / 8) * cellWidth, cellHeight);
	if (code === 0x2580) return box(x, y, cellWidth, cellHeight / 2);
	if (code === 0x2590) return box(x + cellWidth / 2, y, cellWidth / 2, cellHeight);
	if (code >= 0x2800 && code <= 0x28ff) return braille(code - 0x2800, x, y);
	const lines = arms[text];
	if (lines === undefined) return undefined;
	const [up, right, down, left] = [...lines].map(Number) as [number, number, number, number];
	const [middleX, middleY] = [x + cellWidth / 2, y + cellHeight / 2];
	const across = (weight: number, from: number, to: number) =>
		weight === 0 ? '' : box(from, middleY - weight / 2, to - from, weight);
	const along = (weight: number, from: number, to: number) =>
		weight === 0 ? '' : box(middleX - weight / 2, from, weight, to - from);
	return [
		across(left, x, middleX + 0.5),
		across(right, middleX - 0.5, x + cellWidth),
		along(up, y, middleY + 0.5),
		along(down, middleY - 0.5, y + cellHeight),
	].join('');
}

/** Dots 1 to 8 of Unicode: 1, 2, 3 and 7 stand on the left, from the top down. */
function braille(dots: number, x: number, y: number): string {
	const [left, right] = [
		[0, 1, 2, 6],
		[3, 4, 5, 7],
	] as const;
	const column = (bits: readonly number[], at: number) =>
		bits.map((bit, row) => ((dots >> bit) & 1 ? box(at, y + (row + 0.5) * (cellHeight / 4) - 1, 2, 2) : ''));
	return [...column(left, x + 1), ...column(right, x + cellWidth / 2 + 1)].join('');
}

const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One screen as a picture. Neighbouring cells of one look share an element; lines, bars and dots are outlines. */
export function svgOf(
	screen: Pick<Screen, 'columns'>,
	lines: readonly (readonly Cell[])[],
	theme: Theme,
	title: string,
): string {
	const {text, ground, palette} = looks[theme];
	const outlines = new Map<string, string>();
	const grounds = new Map<string, string>();
	const texts: string[] = [];
	const add = (to: Map<string, string>, key: string, path: string) => to.set(key, (to.get(key) ?? '') + path);

	for (const [row, cells] of lines.entries()) {
		const y = row * cellHeight;
		let run: {look: string; x: number; width: number; text: string} | undefined;
		const close = () => {
			if (run !== undefined && run.text.trim() !== '') texts.push(textElement(run, y));
			run = undefined;
		};
		for (const [column, cell] of cells.entries()) {
			if (cell.width === 0) continue;
			const x = column * cellWidth;
			const own = [cell.foreground, cell.background].map(value =>
				value === undefined ? undefined : colourOf(value, palette),
			);
			const [front, back] = cell.inverse ? [own[1] ?? ground, own[0] ?? text] : [own[0] ?? text, own[1]];
			if (back !== undefined && back !== ground)
				add(grounds, back, box(x, y, cell.width * cellWidth, cellHeight));
			const shown = cell.text || ' ';
			const opacity = cell.dim ? 0.6 : 1;
			const outline = drawn(shown, x, y);
			const shade = ['░', '▒', '▓'].indexOf(shown);
			if (outline !== undefined) add(outlines, `${front} ${opacity}`, outline);
			else if (shade >= 0)
				add(outlines, `${front} ${round(opacity * (0.25 + shade * 0.25))}`, box(x, y, cellWidth, cellHeight));
			if (outline !== undefined || shade >= 0) {
				close();
				continue;
			}
			const look = [
				front === text ? '' : ` fill="${front}"`,
				cell.bold ? ' font-weight="bold"' : '',
				cell.dim ? ' opacity=".6"' : '',
				cell.underline ? ' text-decoration="underline"' : '',
			].join('');
			// Letters that a font may have to borrow from another stand by themselves.
			const isPlain = /^[ -~]$/.test(shown);
			if (run === undefined || run.look !== look || !isPlain || run.text.endsWith('  ')) {
				close();
				if (shown === ' ') continue;
				run = {look, x, width: 0, text: ''};
			}
			run.text += shown;
			run.width += cell.width * cellWidth;
			if (!isPlain) close();
		}
		close();
	}

	const [width, height, edge] = [screen.columns * cellWidth, lines.length * cellHeight, 10];
	const paths = (of: Map<string, string>) =>
		[...of].map(([key, path]) => {
			const [fill, opacity = '1'] = key.split(' ');
			return `<path fill="${fill}"${opacity === '1' ? '' : ` opacity="${opacity}"`} d="${path}"/>`;
		});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-edge} ${-edge} ${width + 2 * edge} ${height + 2 * edge}" width="${width + 2 * edge}" height="${height + 2 * edge}" role="img">`,
		`<title>${escaped(title)}</title>`,
		`<rect x="${-edge}" y="${-edge}" width="${width + 2 * edge}" height="${height + 2 * edge}" rx="8" fill="${ground}" stroke="#888" stroke-opacity=".35"/>`,
		...paths(grounds),
		...paths(outlines),
		`<g fill="${text}" font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="13" xml:space="preserve">`,
		...texts,
		'</g>',
		'</svg>',
		'',
	].join('\n');
}

function textElement(
	{look, x, width, text}: {look: string; x: number; width: number; text: string},
	y: number,
): string {
	const shown = text.trimEnd();
	const length = text.length === shown.length ? width : shown.length * cellWidth;
	return `<text x="${x}" y="${y + baseline}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${look}>${escaped(shown)}</text>`;
}
