import {truncate} from '../../terminal/width.ts';
import {shortSignature, signatureOf, stepsOf} from './short-signature.ts';

/** A marker signature of a list in at most so many cells. */
export type ShortSignatures = (signature: string, cells: number) => string;

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
