import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Freshness} from '../../store/queries/freshness.ts';
import {age, clock, yet} from '../../terminal/quantity.ts';

const day = 86_400_000;

/** Data older than this shows its age, even if nothing is wrong. */
const oldMs = 30_000;

/** The freshness of what shows: a sign, a word, and since when it is stale. */
export function freshnessLook(
	freshness: Freshness,
	{isLive, screen: {signs}, now}: {isLive: boolean; screen: Screen; now: number},
): readonly Segment[] {
	switch (freshness.state) {
		case 'loading':
			return [{text: `${signs.ring} loading`, role: 'dim'}];
		case 'fresh':
			return [{text: isLive ? `${signs.dot} live` : `${signs.partly} polling`, role: 'good'}];
		case 'stale':
			return [{text: `${signs.warning} stale since ${when(freshness.since, now)}`, role: 'warning'}];
		case 'offline':
			return [
				{
					text: `${signs.ring} offline${freshness.since === undefined ? '' : `, as of ${when(freshness.since, now)}`}`,
					role: 'bad',
				},
			];
		case 'failed':
			return [{text: `${signs.no} no answer`, role: 'bad'}];
	}
}

/** The circumstances of the next attempt. */
type Moment = {
	readonly now: number;
	/** Events of the stream trigger refetches. */
	readonly isLive: boolean;
	/** The key that retries now; undefined where none does. */
	readonly key: string | undefined;
};

/** The next attempt, where the data is not fresh; its age, where it is polled and old. */
export function nextAttempt(freshness: Freshness, moment: Moment): readonly Segment[] {
	const words =
		freshness.state === 'fresh' ? oldWords(freshness.at, moment) : attemptWords(freshness, moment);
	return words === '' ? [] : [{text: `, ${words}`, role: 'dim'}];
}

/** The age of a pane's data and the next attempt, for its title. */
export function freshnessWords(freshness: Freshness, moment: Moment): string {
	if (freshness.state === 'fresh') return oldWords(freshness.at, moment);
	const since = 'since' in freshness ? freshness.since : undefined;
	const asOf = since === undefined ? '' : `as of ${when(since, moment.now)}`;
	return [asOf, attemptWords(freshness, moment)].filter(Boolean).join(', ');
}

function oldWords(at: number, {now, isLive}: Moment): string {
	// Events announce newer data.
	return isLive || now - at < oldMs ? '' : `${age(now - at)} old`;
}

function attemptWords(freshness: Freshness, {now, key}: Moment): string {
	if (freshness.state === 'loading' || freshness.state === 'fresh') return '';
	const {isReading, nextAt, isTriedAgain, whyNot, notBefore = 0} = freshness;
	if (isReading) return 'trying';
	if (!isTriedAgain) {
		const why = whyNot === undefined ? '' : `: ${whyNot}`;
		return `no retry${why}${key === undefined ? '' : `, ${key} retries`}`;
	}
	if (nextAt === undefined || nextAt <= now) return '';
	// A pause that the service asked for holds for a key press too.
	const byHand = key === undefined || notBefore > now ? '' : `, ${key} now`;
	return `next try in ${yet(nextAt - now)}${byHand}`;
}

function when(at: number, now: number): string {
	return now - at < day ? clock(at) : `${age(now - at)} ago`;
}
