import {describe, expect, onTestFinished, test} from 'vitest';
import {createCellWriter} from '../../../source/terminal/cells/cell-writer.ts';
import {PictureLayer, type SentPicture} from '../../../source/terminal/pictures/picture-layer.ts';
import {randomFrom, times} from '../../faults/support/soak.ts';
import {looks, terminalOf, written} from '../cells/support/terminals.ts';

type Extent = {width: number; height: number};

/** A picture that the terminal keeps in its cells, as it does sixel: here as a letter in each of them. */
function inCells(letter: string, {width, height}: Extent, scrolls = true): SentPicture {
	const row = `\u001b7\u001b[0m${letter.repeat(width)}\u001b8\u001b[B`;
	return {width, height, data: [], draw: row.repeat(height), cancel: '', remove: '', scrolls};
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
		/** Shows a frame, and of the pictures on it what goes with it. @returns what was written */
		async step(frame: string): Promise<string> {
			writer.sink.write(frame, () => undefined);
			const from = sent.length;
			while (sent.length === from) await new Promise(resolve => setImmediate(resolve));
			unread = sent.length;
			return sent.slice(from).join('');
		},
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

const apc = (words: string) => `\u001b_${words}\u001b\\`;

/** A picture that the terminal keeps by a number, sent in so many pieces. */
const byNumber = (id: number, size: Extent, pieces = 1): SentPicture => ({
	...size,
	data: Array.from({length: pieces}, (_, at) => apc(`data ${id}.${at + 1}`)),
	draw: apc(`draw ${id}`),
	cancel: apc(`cancel ${id}`),
	remove: apc(`remove ${id}`),
	scrolls: false,
});

/** The orders about pictures in what was written. */
const orders = (bytes: string) => [...bytes.matchAll(/_(\w+ [\d.]+)/g)].map(([, order]) => order);

test('what the terminal keeps by a number is sent once, drawn where it moves, and removed before the frame and at the end', async () => {
	const {writer, layer, show} = writerOn(20, 6);
	const size = {width: 4, height: 2};
	const mark = layer.put(byNumber(1, size)).repeat(4);
	const told = async (frame: string) => (await show(frame)).replaceAll('\u001b', 'E');
	const first = await told(`title\n${mark}\n${mark}`);
	expect(first).toMatch(/title.*E_data 1.1E\\E\[2;1HE_draw 1E\\E\[HE\[\?2026l$/s);
	expect(await told(`other\n${mark}\n${mark}`)).toBe('E[?2026hotherE[?2026l');
	const moved = await told(`other\n\n${mark}\n${mark}`);
	expect(moved).toContain('E[3;1HE_draw 1E');
	expect(orders(moved)).toEqual(['draw 1']);
	expect(await told(`other\n\n${mark}\nxx${mark.slice(4)}`)).toMatch(/^E\[\?2026hE_remove 1E/);
	expect(orders(await told(`other\n\n${mark}\n${mark}`))).toEqual(['data 1.1', 'draw 1']);
	writer.repaint();
	expect(await told(`other\n\n${mark}\n${mark}`)).toMatch(/E_remove 1E.*E\[2J.*E_data 1.1E.*E_draw 1E/s);
	expect(orders(writer.stop())).toEqual(['remove 1']);
	expect(writer.stop()).toBe('');
});

test('pictures come a piece a frame, so that what a key changes is not behind all of them; those of one together', async () => {
	const {layer, show, sent} = writerOn(20, 6);
	const marks = [1, 2].map(id => layer.put(byNumber(id, {width: 2, height: 1}, 2)).repeat(2));
	await show(marks.join(' '));
	expect(sent.map(orders)).toEqual([
		['data 1.1'],
		['data 1.2', 'draw 1'],
		['data 2.1'],
		['data 2.2', 'draw 2'],
	]);
});

describe('a picture of which a piece was sent', () => {
	/** The first frame with two pictures, of which the second is drawn and the first has begun to come. */
	async function begun() {
		const {writer, layer, show, step} = writerOn(20, 6);
		const size = {width: 2, height: 1};
		const old = layer.put(byNumber(2, size)).repeat(2);
		await show(`\n${old}`);
		const mark = layer.put(byNumber(1, size, 3)).repeat(2);
		expect(orders(await step(`${mark}\n${old}`))).toEqual(['data 1.1']);
		return {writer, show, mark, old};
	}

	test('goes on with the next frame, whatever else that brings', async () => {
		const {show, mark, old} = await begun();
		expect(orders(await show(`${mark} new\n${old}`))).toEqual(['data 1.2', 'data 1.3', 'draw 1']);
	});

	test('is cancelled and removed where it goes', async () => {
		const {show, old} = await begun();
		expect(orders(await show(`\n${old}`))).toEqual(['cancel 1', 'remove 1']);
	});

	test('is sent to its end before anything is said of another', async () => {
		const {show, mark} = await begun();
		expect(orders(await show(mark))).toEqual(['data 1.2', 'data 1.3', 'remove 2', 'draw 1']);
	});

	test('is cancelled at the end of all', async () => {
		const {writer} = await begun();
		expect(orders(writer.stop())[0]).toBe('cancel 1');
	});
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

test('no region is scrolled while a picture is there: terminals differ on what becomes of it', async () => {
	const {layer, show} = writerOn(30, 10);
	const lines = (from: number) => Array.from({length: 10}, (_, at) => `the text of line ${from + at}`);
	const isScrolled = (bytes: string) => /\[\d*;\d+r/.test(bytes);
	await show(lines(1).join('\n'));
	expect(isScrolled(await show(lines(2).join('\n')))).toBe(true);
	const mark = layer.put(byNumber(1, {width: 2, height: 1})).repeat(2);
	const withPicture = (from: number) => lines(from).map((line, at) => (at === 4 ? `${line} ${mark}` : line));
	await show(withPicture(2).join('\n'));
	expect(isScrolled(await show(withPicture(3).join('\n')))).toBe(false);
});

test('a mark that no picture has is a blank', async () => {
	const {layer, show, shown} = writerOn(10, 2);
	const mark = layer.put(byNumber(1, {width: 1, height: 1}));
	layer.drop(mark);
	await show(`a${mark}b`);
	expect(shown().split('\n')[0]?.trimEnd()).toBe('a b');
});
