import {expect, test, vi} from 'vitest';
import type {Pixels} from '../../../source/picture/pixels.ts';
import {DrawnPictures, type WantedPicture} from '../../../source/store/pictures/pictures.ts';

/** A loaded machine draws late. */
const patience = {timeout: 20_000};

const pixels = (width: number): Pixels => ({width, height: 1, data: new Uint8Array(width * 3)});
const size = (width: number) => ({width, height: 2});

const wanted = (of: Pixels, width: number): WantedPicture => ({
	pixels: of,
	cells: size(width),
	encoded: {format: 'png', size: size(width * 10), mostCharacters: 1000},
});

function drawing() {
	const asked: {width: number; to: number; signal: AbortSignal; answer: (text: string | Error) => void}[] =
		[];
	const drawn = new DrawnPictures((of, {size: to}, signal) => {
		const {promise, resolve, reject} = Promise.withResolvers<string>();
		const answer = (text: string | Error) => (typeof text === 'string' ? resolve(text) : reject(text));
		asked.push({width: of.width, to: to.width, signal, answer});
		return promise;
	});
	const onBoard = new Map<string, string>();
	let marks = 0;
	const board = {
		put(picture: string) {
			const mark = `mark ${++marks}`;
			onBoard.set(mark, picture);
			return mark;
		},
		drop: (mark: string) => void onBoard.delete(mark),
	};
	const marksOf = () => [...drawn.known.getState().values()].map(({mark}) => mark);
	return {drawn, board, asked, onBoard, marksOf};
}

test('a picture is encoded once for its cells, and again where those change', async () => {
	const {drawn, board, asked, onBoard, marksOf} = drawing();
	const one = pixels(1);
	drawn.want(board, [wanted(one, 30)]);
	expect(marksOf()).toEqual([undefined]);
	asked[0]?.answer('thirty');
	await vi.waitUntil(() => marksOf()[0] === 'mark 1', patience);
	drawn.want(board, [wanted(one, 30)]);
	expect(asked).toHaveLength(1);
	drawn.want(board, [wanted(one, 20)]);
	expect([...onBoard]).toEqual([]);
	expect(marksOf()).toEqual([undefined]);
	asked[1]?.answer('twenty');
	await vi.waitUntil(() => marksOf()[0] === 'mark 2', patience);
	expect([...onBoard.values()]).toEqual(['twenty']);
	expect(drawn.known.getState().get(one)?.cells).toEqual(size(20));
});

test('one that is not shown any more leaves the board, and is given up where it is still encoded', async () => {
	const {drawn, board, asked, onBoard, marksOf} = drawing();
	const [one, two, three] = [pixels(1), pixels(2), pixels(3)];
	drawn.want(board, [wanted(one, 30), wanted(two, 30), wanted(three, 30)]);
	asked[0]?.answer('one');
	asked[1]?.answer('two');
	await vi.waitUntil(() => onBoard.size === 2, patience);
	drawn.keep(new Set([two]));
	expect([...onBoard.values()]).toEqual(['two']);
	expect(marksOf()).toEqual(['mark 2']);
	expect(asked[2]?.signal.aborted).toBe(true);
	asked[2]?.answer('three');
	await new Promise(resolve => setImmediate(resolve));
	expect([...onBoard.values()]).toEqual(['two']);
});

test('one that can not be encoded is not kept as if it were coming', async () => {
	const {drawn, board, asked, marksOf} = drawing();
	drawn.want(board, [wanted(pixels(1), 30)]);
	asked[0]?.answer(new Error('broken'));
	await vi.waitUntil(() => marksOf().length === 0, patience);
});
