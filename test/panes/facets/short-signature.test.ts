import {expect, test} from 'vitest';
import {shortSignature} from '../../../source/panes/facets/facet-line.ts';

const fold = 'reach > grasp > fold > release';

test.each([
	[30, fold],
	[29, 'reach>grasp>fold>release'],
	[24, 'reach>grasp>fold>release'],
	[23, 'reach>grasp>fold>releas'],
	[15, 'rea>gra>fol>rel'],
	[7, 'r>g>f>r'],
	[3, 'r>g>f>r'],
])('in %i cells a signature keeps something of every step', (cells, expected) => {
	expect(shortSignature(fold, cells)).toBe(expected);
});

test('signatures that differ in one step stay apart where a middle cut would make them one', () => {
	expect(shortSignature(fold, 15)).not.toBe(shortSignature('reach > grasp > pour > release', 15));
});
