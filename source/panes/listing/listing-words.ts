import {type KeyOf, keySentence, keyWords} from '../../components/key-words.ts';
import type {Segment} from '../../components/segment.ts';
import type {CursorListKnown} from '../../store/listing/cursor-list.ts';
import type {Sought} from '../../store/listing/listing-feed.ts';
import {counted} from '../../terminal/quantity.ts';

type Listed = Pick<
	CursorListKnown<unknown>,
	'freshness' | 'hasMore' | 'leftOut' | 'isPrevious' | 'isOutdated' | 'keys' | 'names'
>;

/** What is to be said of a listing beside its place: what is asked for, and what is known of how whole it is. */
export function listingAside(
	{hasMore, leftOut, isPrevious, isOutdated, keys, names, freshness}: Listed,
	{asked, keyOf}: {readonly asked: readonly string[]; readonly keyOf: KeyOf},
): string {
	const isReading = 'isReading' in freshness && freshness.isReading;
	return [
		...asked,
		isPrevious ? 'asking' : '',
		isReading && names.length < keys.length - 1 ? `${counted(names.length, 'row')} read` : '',
		...(isOutdated ? ['it has changed', ...keyWords(keyOf, [['list-view.refresh', 'lists it anew']])] : []),
		hasMore ? 'the service has more' : '',
		leftOut > 0 ? `${leftOut} unreadable` : '',
	]
		.filter(Boolean)
		.join(', ');
}

/** Words for a listing without rows. */
export function listingEmpty(
	{freshness}: Listed,
	{noun, isNarrowed, hint, keyOf}: {noun: string; isNarrowed: boolean; hint: string; keyOf: KeyOf},
): readonly (readonly Segment[])[] {
	if ('reason' in freshness) return [[{text: freshness.reason, role: 'bad'}]];
	if (freshness.state === 'loading') return [[{text: `Reading the ${noun}s.`, role: 'dim'}]];
	if (isNarrowed) {
		const way = keySentence(keyOf, [[`${noun}s.all`, 'lists all again']]);
		return [[{text: `No ${noun} is like that.`, role: 'strong'}], [way]];
	}
	return [[{text: `There is no ${noun}.`, role: 'strong'}], [hint]];
}

/** Words where the opened one is not there, or not yet. */
export function absentLines(sought: Sought | undefined): readonly (readonly Segment[])[] {
	if (sought === undefined) return [[{text: ' Reading it.', role: 'dim'}]];
	if (sought.trouble === undefined) return [[{text: ' Looking for it.', role: 'dim'}]];
	return [[{text: ` ${sought.id}`, role: 'dim'}], [{text: ` ${sought.trouble}`, role: 'warning'}]];
}
