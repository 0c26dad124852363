import {expect, test} from 'vitest';
import {Embodiments} from '../../../source/store/export/compose-selection.ts';

function wayToOne(...names: (string | null)[]): string | undefined {
	const embodiments = new Embodiments();
	for (const interface_hash of names) embodiments.add([{interface_hash}]);
	return embodiments.wayToOne();
}

test('several embodiments are named, that of most episodes first, with the term that keeps it', () => {
	expect(wayToOne('koch-30hz', 'so101-30hz', null, 'so101-30hz')).toBe(
		'These episodes have 2 layouts: so101-30hz, koch-30hz. Filter for one of them, for example interface:so101-30hz.',
	);
	expect(wayToOne('a b', 'c', 'd', 'e', 'f')).toBe(
		'These episodes have 5 layouts: a b, c, d, e and 1 more. Filter for one of them, for example interface:"a b".',
	);
});

test('one embodiment is nothing to narrow', () => {
	expect([wayToOne('koch', 'koch', null), wayToOne()]).toEqual([undefined, undefined]);
});
