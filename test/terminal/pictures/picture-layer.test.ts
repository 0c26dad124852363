import {expect, onTestFinished, test} from 'vitest';
import {createCellWriter} from '../../../source/terminal/cells/cell-writer.ts';
import {PictureLayer, type SentPicture} from '../../../source/terminal/pictures/picture-layer.ts';
import {randomFrom, times} from '../../faults/support/soak.ts';
import {looks, terminalOf, written} from '../cells/support/terminals.ts';

type Extent = {width: number; height: number};

/** A picture that the terminal keeps in its cells, as it does sixel: here as a letter in each of them. */
function inCells(letter: string, {width, height}: Extent, scrolls = true): SentPicture {
	const row = `\u001b7\u001b[0m${letter.repeat(width)}\u001b8\u001b[B`;
	return {width, height, draw: row.repeat(height), remove: '', scrolls};
}

/** A writer with pictures before a terminal of its own. */
function writerOn(columns: number, rows: number) {
	const size = {columns, rows};
	const terminal = terminalOf(columns, rows);
	const reference = terminalOf(columns, rows);
	onTestFinished(() => {
		terminal.dispose();
		reference.dispose();
	});
	const sent: string[] = [];
	let unread = 0;
	const writer = createCellWriter(
		{write: text => sent.push(text), isTaken: true, whenTaken: listener => listener()},
		() => size,
		{frameMs: 0},
	);
	const layer = new PictureLayer();
	writer.setPictures(layer);
	writer.start();
	return {
		writer,
		layer,
		sent,
		/** Shows a frame to its end, pictures with it, which come one by one. @returns what was written for it */
		async show(frame: string): Promise<string> {
			writer.sink.write(frame, () => undefined);
			const from = unread;
			let before: number;
			do {
				before = sent.length;
				await new Promise(resolve => setImmediate(resolve));
				await new Promise(resolve => setImmediate(resolve));
			} while (sent.length > before);
			const bytes = sent.slice(from).join('');
			unread = sent.length;
			await written(terminal, bytes);
			return bytes;
		},
		shown: () => looks(terminal),
		async meant(rowsOfIt: readonly string[]): Promise<string> {
			await written(reference, `\u001b[0m\u001b[H\u001b[2J${rowsOfIt.join('\r\n')}`);
			return looks(reference);
		},
	};
}

const texts = [...'abc def │─∑·'];

test('whatever moves, covers or takes away a picture leaves the cells that a frame without history would', async () => {
	const random = randomFrom(7);
	const whole = (below: number) => Math.floor(random() * below);
	const [columns, rows] = [24, 8];
	const {writer, layer, show, shown, meant} = writerOn(columns, rows);
	type Known = Extent & {mark: string; letter: string; x: number; y: number; scrolls: boolean};
	let pictures: Known[] = [];
	for (let turn = 0; turn < times(400, 20_000); turn++) {
		if (random() < 0.03) writer.repaint();
		for (const picture of pictures) {
			if (random() < 0.2) Object.assign(picture, {x: whole(columns), y: whole(rows)});
		}
		pictures = pictures.filter(({mark}) => {
			const stays = random() < 0.9;
			if (!stays) layer.drop(mark);
			return stays;
		});
		if (pictures.length < 3 && random() < 0.3) {
			const size = {width: 1 + whole(8), height: 1 + whole(4)};
			const letter = 'PQRSTUVW'.charAt(turn % 8);
			const scrolls = random() < 0.5;
			const mark = layer.put(inCells(letter, size, scrolls));
			pictures.push({...size, mark, letter, scrolls, x: whole(columns), y: whole(rows)});
		}
		const cells = Array.from({length: rows}, () =>
			Array.from({length: columns}, () => (random() < 0.02 ? (texts[whole(texts.length)] ?? ' ') : ' ')),
		);
		const draw = (x: number, y: number, {width, height}: Extent, cell: string) => {
			for (let row = y; row < Math.min(y + height, rows); row++) {
				cells[row]?.fill(cell, x, Math.min(x + width, columns));
			}
		};
		for (const {x, y, mark, ...size} of pictures) draw(x, y, size, mark);
		if (random() < 0.2) draw(whole(columns), whole(rows), {width: 5, height: 2}, '#');
		const isShown = ({mark, width, height, y, scrolls}: Known) =>
			cells.flat().filter(cell => cell === mark).length === width * height &&
			y + height <= rows - (scrolls ? 1 : 0);
		const letters = new Map(pictures.map(each => [each.mark, isShown(each) ? each.letter : ' ']));
		await show(cells.map(row => row.join('')).join('\n'));
		const [seen, wanted] = [
			shown(),
			await meant(cells.map(row => row.map(cell => letters.get(cell) ?? cell).join(''))),
		];
		if (seen !== wanted) expect(seen, `turn ${turn}`).toBe(wanted);
	}
	writer.stop();
});

const byNumber = (id: number, size: Extent): SentPicture => ({
	...size,
	draw: `\u001b_draw ${id}\u001b\\`,
	move: `\u001b_move ${id}\u001b\\`,
	remove: `\u001b_remove ${id}\u001b\\`,
	scrolls: false,
});

test('what the terminal keeps by a number is drawn once, moved, and removed before the frame and at the end', async () => {
	const {writer, layer, show} = writerOn(20, 6);
	const size = {width: 4, height: 2};
	const mark = layer.put(byNumber(1, size)).repeat(4);
	const told = async (frame: string) => (await show(frame)).replaceAll('\u001b', 'E');
	const first = await told(`title\n${mark}\n${mark}`);
	expect(first).toMatch(/title.*E\[2;1HE_draw 1E\\E\[HE\[\?2026l$/s);
	expect(await told(`other\n${mark}\n${mark}`)).toBe('E[?2026hotherE[?2026l');
	expect(await told(`other\n\n${mark}\n${mark}`)).toMatch(/E\[3;1HE_move 1E/);
	expect(await told(`other\n\n${mark}\nxx${mark.slice(4)}`)).toMatch(/^E\[\?2026hE_remove 1E/);
	expect(await told(`other\n\n${mark}\n${mark}`)).toContain('E_draw 1E');
	writer.repaint();
	expect(await told(`other\n\n${mark}\n${mark}`)).toMatch(/E_remove 1E.*E\[2J.*E_draw 1E/s);
	expect(writer.stop()).toContain('remove 1');
	expect(writer.stop()).toBe('');
});

test('pictures come one a frame, so that what a key changes is not behind all of them', async () => {
	const {layer, show, sent} = writerOn(20, 6);
	const marks = [1, 2, 3].map(id => layer.put(byNumber(id, {width: 2, height: 1})).repeat(2));
	await show(marks.join(' '));
	const drawings = sent.map(frame => [...frame.matchAll(/_draw (\d)/g)].map(([, id]) => id).join());
	expect(drawings).toEqual(['1', '2', '3']);
});

test('a picture that stands for text is that text in the cells, and nothing once it is gone', async () => {
	const {layer, show, shown} = writerOn(10, 3);
	const picture = {...byNumber(1, {width: 3, height: 1}), line: () => '\u001b[31mabc\u001b[39m'};
	const mark = layer.put(picture);
	await show(mark.repeat(3));
	expect(shown()).toMatch(/^a\{.*b\{.*c\{/);
	layer.drop(mark);
	expect(await show('')).toContain('_remove 1');
	expect(shown().trim()).toBe('');
});

test('a mark that no picture has is a blank', async () => {
	const {layer, show, shown} = writerOn(10, 2);
	const mark = layer.put(byNumber(1, {width: 1, height: 1}));
	layer.drop(mark);
	await show(`a${mark}b`);
	expect(shown().split('\n')[0]?.trimEnd()).toBe('a b');
});
