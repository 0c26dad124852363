import {rule} from '../../components/rule.ts';
import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import {type FacetId, facetOf} from '../../contract/facets.ts';
import type {FacetTitle} from '../../store/facets/facet-lines.ts';
import type {FacetLine} from '../../store/facets/facets-state.ts';
import {grouped} from '../../terminal/quantity.ts';
import {truncate} from '../../terminal/width.ts';

/** How a facet's value is written for people. */
function facetValue(facet: FacetId, value: string): string {
	return value === '' ? facetOf(facet).empty : value;
}

const countWidth = 5;

type LineOptions = {
	readonly width: number;
	readonly isAtCursor: boolean;
	readonly focused: boolean;
	readonly screen: Screen;
	/** The signatures of the pane, beside one another. */
	readonly signatures: ShortSignatures;
};

/** A line of the facets pane in exactly `width` cells. */
export function facetLine(line: FacetLine, options: LineOptions): readonly Segment[] {
	const {width, isAtCursor, focused, screen, signatures} = options;
	const {signs} = screen;
	const pointer = isAtCursor ? (focused ? signs.pointer : signs.idlePointer) : ' ';
	switch (line.kind) {
		case 'title':
			return titleLine(line, options);
		case 'more': {
			const words = line.isWhole ? 'show fewer' : `${grouped(line.hidden)} more`;
			return [pointer, screen.cell(`  ${signs.ellipsis} ${words}`, width - 1, {role: 'dim'})];
		}
		case 'unknown':
			return [pointer, ...counted(() => '  (unknown)', line.count, 0, width - 1, screen, 'dim')];
		case 'value': {
			const {item, value, count, isPicked, share} = line;
			const box = isPicked ? signs.check.on : signs.check.off;
			const words = facetValue(item.facet, value);
			const label = (cells: number) =>
				`${box} ${item.facet === 'marker' ? signatures(words, cells - 2) : words}`;
			return [
				pointer,
				...counted(
					label,
					count,
					share,
					width - 1,
					screen,
					isPicked ? 'accent' : 'plain',
					facetOf(item.facet).cut,
				),
			];
		}
	}
}

function titleLine(
	{item, isFolded, picked, listed, total, search, found}: FacetTitle,
	{width, isAtCursor, focused, screen}: LineOptions,
): readonly Segment[] {
	const {signs} = screen;
	const fold = isFolded ? ` ${signs.folded}` : '';
	const narrowed = search === undefined ? '' : ` /${search}`;
	const chosen = picked > 0 ? ` ${signs.check.on}${grouped(picked)}` : '';
	const shown = search === undefined ? grouped(listed) : grouped(found);
	const right = total === undefined ? shown : `${shown}/${grouped(total)}`;
	const title = `${facetOf(item.facet).title}${fold}${narrowed}${chosen}`;
	const line = rule(screen, width, {title, right, focused});
	if (!isAtCursor) return line;
	return [focused ? signs.pointer : signs.idlePointer, ...line.slice(1)];
}

function counted(
	label: (cells: number) => string,
	count: number | bigint,
	share: number,
	width: number,
	screen: Screen,
	role: 'plain' | 'accent' | 'dim',
	cut: 'end' | 'middle' = 'end',
): readonly Segment[] {
	const bar = Math.max(0, Math.min(6, width - 25));
	const number = grouped(count);
	const cells = Math.max(countWidth, number.length);
	const room = Math.max(0, width - cells - bar - (bar > 0 ? 3 : 2));
	return [
		screen.cell(label(room), room, {role, cut}),
		' ',
		screen.cell(number, cells, {align: 'right', role: role === 'dim' ? 'dim' : 'plain'}),
		' ',
		...(bar > 0 ? [screen.cell(screen.signs.share(share, bar), bar, {role: 'accent'}), ' '] : []),
	];
}

/** A marker signature of a list in at most so many cells. */
type ShortSignatures = (signature: string, cells: number) => string;

/** Shortens the signatures of a list so that no two of them look the same, where the cells allow it. */
export function shortSignatures(listed: readonly string[], ellipsis: string): ShortSignatures {
	const known = new Map<number, ReadonlyMap<string, string>>();
	return (signature, cells) => {
		const short = known.get(cells) ?? toldApart(listed, cells, ellipsis);
		known.set(cells, short);
		return short.get(signature) ?? shortSignature(signature, cells);
	};
}

function toldApart(listed: readonly string[], cells: number, ellipsis: string): ReadonlyMap<string, string> {
	const cutAt = (cut: 'end' | 'middle') => (text: string) => truncate(text, cells, {ellipsis, cut});
	const alike = Map.groupBy(listed, signature => cutAt('end')(shortSignature(signature, cells)));
	return new Map(
		[...alike].flatMap(([short, group]) => {
			if (group.length < 2) return group.map(signature => [signature, short]);
			const longer = withTellingLetters(group, cells);
			const ways = [longer.map(cutAt('end')), longer.map(cutAt('middle'))];
			const distinct = (way: readonly string[]) => new Set(way).size;
			const best = ways.reduce((one, other) => (distinct(other) > distinct(one) ? other : one));
			return group.map((signature, place): [string, string] => [signature, best[place] ?? short]);
		}),
	);
}

/** One letter a step, and as many as tell the markers apart where the signatures differ: `r>g>so>r`, `r>g>st>r`. */
function withTellingLetters(group: readonly string[], cells: number): readonly string[] {
	const all = group.map(stepsOf);
	const lettersAt = (place: number) => {
		const markers = [...new Set(all.flatMap(steps => steps[place] ?? []))];
		const longest = Math.min(cells, Math.max(...markers.map(marker => marker.length)));
		let letters = 1;
		while (
			letters < longest &&
			new Set(markers.map(marker => marker.slice(0, letters))).size < markers.length
		) {
			letters++;
		}
		return letters;
	};
	return all.map(steps => signatureOf(steps.map((step, place) => step.slice(0, lettersAt(place)))));
}

const between = ' > ';

function stepsOf(signature: string): readonly string[] {
	return signature.split(between);
}

/** A signature of steps that are shortened. */
function signatureOf(steps: readonly string[]): string {
	return steps.join('>');
}

/**
 * A marker signature in at most `cells` characters where that can be had: signatures differ in any of their steps, so
 * every step keeps its first letters, and none gives way to an ellipsis. `reach > grasp > fold > release` becomes
 * `reach>grasp>fold>release`, `rea>gra>fol>rel`, and at the least `r>g>f>r`.
 */
export function shortSignature(signature: string, cells: number): string {
	if (signature.length <= cells) return signature;
	const steps = stepsOf(signature);
	const longest = Math.max(...steps.map(step => step.length));
	for (let letters = longest; letters > 1; letters--) {
		const short = signatureOf(steps.map(step => step.slice(0, letters)));
		if (short.length <= cells) return short;
	}
	return signatureOf(steps.map(step => step.slice(0, 1)));
}
