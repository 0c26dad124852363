import {expect, test} from 'vitest';
import {shortSignatures} from '../../../source/panes/facets/facet-line.ts';

const signature = (steps: string) => steps.replaceAll(' ', ' > ');
const twice = (marker: string) => signature(`reach grasp ${marker} reach grasp ${marker} release`);
const tried = (marker: string) =>
	signature(`reach grasp reach grasp ${marker} reach grasp ${marker} release`);

const shown = (listed: readonly string[], cells: number) => {
	const short = shortSignatures(listed, '…');
	return listed.map(each => short(each, cells));
};

test('markers that begin alike have as many letters as tell them apart, where signatures would look the same', () => {
	expect(shown([twice('sort'), twice('stack'), signature('reach grasp fold release')], 15)).toEqual([
		'r>g>so>r>g>so>r',
		'r>g>st>r>g>st>r',
		'rea>gra>fol>rel',
	]);
	expect(shown([twice('sort'), twice('pour')], 15)).toEqual(['r>g>s>r>g>s>r', 'r>g>p>r>g>p>r']);
});

test('signatures that are cut are told apart before the cut, or else on both sides of it', () => {
	expect(shown([tried('sort'), tried('stack')], 15)).toEqual(['r>g>r>g>so>r>g…', 'r>g>r>g>st>r>g…']);
	const long = (end: string) => signature(`reach grasp reach grasp reach grasp reach grasp ${end}`);
	expect(shown([long('sort'), long('stack')], 15)).toEqual(['r>g>r>g…>r>g>so', 'r>g>r>g…>r>g>st']);
});

test('one that is not of the list is shortened by itself', () => {
	expect(shortSignatures([], '…')(twice('sort'), 15)).toBe('r>g>s>r>g>s>r');
});
