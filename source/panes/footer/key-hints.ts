import {cellsOf, type Segment} from '../../components/segment.ts';
import type {ActiveBinding} from '../../input/active-bindings.ts';
import {showKeys} from '../../input/key-name.ts';

export type KeyHint = {readonly keys: string; readonly text: string; readonly action: string};

const gap = 3;

/** The hint that is there however short the room is: it leads to all others. */
const always = 'app.help';

/**
 * The hints that fit into `width` cells, most wanted first and the way to help at the end. One that is too long for
 * what is left is passed over; after a second one what follows would be picked by its length alone.
 */
export function keyHints(
	bindings: readonly ActiveBinding[],
	width: number,
	options: {unicode: boolean},
): readonly KeyHint[] {
	const wanted = bindings
		.filter(({footer, keys}) => footer !== undefined && keys.length > 0)
		.sort((a, b) => (a.footer ?? 0) - (b.footer ?? 0));
	const hintOf = ({keys, hint, action}: ActiveBinding): KeyHint => ({
		keys: showKeys(keys[0] ?? [], options),
		text: hint,
		action,
	});
	const last = wanted.filter(({action}) => action === always).map(hintOf);
	// The gap after the last hint needs no room.
	let room = width + gap - last.reduce((sum, each) => sum + cells(each), 0);
	const shown: KeyHint[] = [];
	let isPassed = false;
	for (const binding of wanted) {
		if (binding.action === always) continue;
		const next = hintOf(binding);
		if (cells(next) > room) {
			if (isPassed) break;
			isPassed = true;
			continue;
		}
		room -= cells(next);
		shown.push(next);
	}
	return [...shown, ...last];
}

/** Hints as they are drawn. */
export function hintSegments(hints: readonly KeyHint[]): readonly Segment[] {
	return hints.flatMap(({keys, text}, index): Segment[] => [
		index === 0 ? '' : ' '.repeat(gap),
		{text: keys, role: 'accent'},
		` ${text}`,
	]);
}

/** The action of the hint at a cell, counted from where the hints begin. */
export function hintAt(hints: readonly KeyHint[], column: number): string | undefined {
	let from = 0;
	for (const hint of hints) {
		const width = cells(hint);
		if (column >= from && column < from + width - gap) return hint.action;
		from += width;
	}
	return undefined;
}

function cells({keys, text}: KeyHint): number {
	return cellsOf(keys) + 1 + cellsOf(text) + gap;
}
