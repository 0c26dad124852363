import type {Count} from '../../contract/scalars.ts';
import type {Counted} from '../../store/filter-line/live-count.ts';
import {grouped} from '../../terminal/quantity.ts';

/** How many episodes the line that is typed would let through, in a few words. */
export function countWords(
	counted: Counted,
	{isReadable, total}: {readonly isReadable: boolean; readonly total: Count | undefined},
): string {
	if (!isReadable) return '';
	switch (counted.state) {
		case 'none':
			return total === undefined ? '' : `${grouped(total)} match `;
		case 'counting':
			return counted.last === undefined ? 'counting ' : `${grouped(counted.last)}? counting `;
		case 'counted':
			return `${grouped(counted.total)} match `;
		case 'unknown-datasets':
		case 'refused':
			return '';
	}
}
