import {cellsOf, type Segment} from '../../components/segment.ts';
import type {ActiveBinding} from '../../input/active-bindings.ts';
import {showKeys} from '../../input/key-name.ts';

export type KeyHint = {readonly keys: string; readonly text: string; readonly action: string};

const gap = 3;

/**
 * The hints that fit into `width` cells, most wanted first and those that are kept at the end. One that is too long for
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
	/** `← → cursor`: two keys of one word. */
	const pairOf = (pair: readonly ActiveBinding[]): KeyHint | undefined => {
		const [first, second] = pair.map(hintOf);
		const text = pair[0]?.together;
		if (!first || !second || pair.length > 2 || text === undefined) return undefined;
		return {...first, keys: `${first.keys} ${second.keys}`, text};
	};
	const [kept, others] = parted(wanted);
	// The gap after the last hint needs no room.
	let room = width + gap;
	const last: KeyHint[] = [];
	for (const next of kept.flatMap(each => gathered(each) ?? each.map(hintOf)).reverse()) {
		if (last.length > 0 && cells(next) > room) break;
		room -= cells(next);
		last.unshift(next);
	}
	const shown: KeyHint[] = [];
	let isPassed = false;
	const paired = new Set<ActiveBinding>();
	for (const binding of others) {
		if (paired.has(binding)) continue;
		const alike = others.filter(({together}) => together !== undefined && together === binding.together);
		const pair = pairOf(alike);
		if (pair !== undefined) for (const each of alike) paired.add(each);
		const next = pair ?? hintOf(binding);
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

/** Those that are kept, in groups of what is called by one word, and the others. */
function parted(
	wanted: readonly ActiveBinding[],
): readonly [kept: readonly (readonly ActiveBinding[])[], others: readonly ActiveBinding[]] {
	const kept = Map.groupBy(
		wanted.filter(({isKept}) => isKept),
		({together, action}) => together ?? action,
	);
	const groups = [...kept.values()].filter(group => group.length === 1 || gathered(group) !== undefined);
	const isInGroup = new Set(groups.flat());
	return [groups, wanted.filter(binding => !isInGroup.has(binding))];
}

/** One hint for keys that follow one another, but for that of where one is; undefined where they do not. */
function gathered(group: readonly ActiveBinding[]): readonly KeyHint[] | undefined {
	const [first] = group;
	const keys = group.map(({keys}) => (keys[0]?.length === 1 ? (keys[0][0] ?? '') : ''));
	const [from = '', to = ''] = [keys[0], keys.at(-1)];
	const isRow = keys.every((key, at) => /^[0-9]$/.test(key) && (at === 0 || key > (keys[at - 1] ?? '')));
	if (first?.together === undefined || group.length < 2 || !isRow) return undefined;
	return [{keys: `${from}-${to}`, text: first.together, action: first.action}];
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
