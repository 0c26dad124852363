import {expect, test} from 'vitest';
import {currentTarget, type OpenedLine, steppedLine} from '../../../source/panes/list/opened-line.ts';
import {movedBy, movedTo, pagedBy} from '../../../source/store/state/list-location.ts';

/** Lines of which those named lead somewhere. */
function linesOf(count: number, targets: Readonly<Record<number, string>>): readonly OpenedLine[] {
	return Array.from({length: count}, (_, row): OpenedLine => {
		const id = targets[row];
		const segments = [`line ${row}`];
		return id === undefined ? segments : {segments, target: {id, description: '', enter: () => undefined}};
	});
}

const down = (position: Parameters<typeof movedBy>[0], extent: Parameters<typeof movedBy>[2]) =>
	movedBy(position, 1, extent);
const up = (position: Parameters<typeof movedBy>[0], extent: Parameters<typeof movedBy>[2]) =>
	movedBy(position, -1, extent);

test('down moves from link to link while they show, then scrolls until the next one comes', () => {
	const lines = linesOf(30, {2: 'a', 4: 'b', 12: 'c'});
	let place = steppedLine({scroll: 0, target: undefined}, down, lines, 10);
	expect(place).toEqual({scroll: 0, target: 'b'});
	place = steppedLine(place, down, lines, 10);
	expect(place).toEqual({scroll: 1, target: 'b'});
	place = steppedLine(place, down, lines, 10);
	place = steppedLine(place, down, lines, 10);
	expect(place).toEqual({scroll: 3, target: 'c'});
	expect(steppedLine(place, up, lines, 10)).toEqual({scroll: 3, target: 'b'});
});

test('lines without a link scroll line by line, and no further than the last', () => {
	const lines = linesOf(12, {});
	expect(steppedLine({scroll: 0, target: undefined}, down, lines, 10)).toEqual({
		scroll: 1,
		target: undefined,
	});
	expect(steppedLine({scroll: 2, target: undefined}, down, lines, 10)).toEqual({
		scroll: 2,
		target: undefined,
	});
	expect(steppedLine({scroll: 0, target: undefined}, up, lines, 10)).toEqual({scroll: 0, target: undefined});
});

test('the end shows the last link, a page the first that comes with it', () => {
	const lines = linesOf(40, {1: 'a', 15: 'b', 38: 'c'});
	const end = steppedLine(
		{scroll: 0, target: undefined},
		(position, extent) => movedTo(position, Number.MAX_SAFE_INTEGER, extent),
		lines,
		10,
	);
	expect(end).toEqual({scroll: 30, target: 'c'});
	const page = steppedLine(
		{scroll: 0, target: 'a'},
		(position, extent) => pagedBy(position, 1, extent),
		lines,
		10,
	);
	expect(page).toEqual({scroll: 9, target: 'b'});
});

test('enter opens the first link that shows, before any key has moved the pointer', () => {
	const lines = linesOf(30, {2: 'a', 4: 'b'});
	expect(currentTarget({scroll: 0, target: undefined}, lines, 10)?.id).toBe('a');
	expect(currentTarget({scroll: 3, target: 'a'}, lines, 10)?.id).toBe('b');
	expect(currentTarget({scroll: 10, target: 'a'}, lines, 10)).toBeUndefined();
});
