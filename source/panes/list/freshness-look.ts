import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Freshness} from '../../store/queries/freshness.ts';
import {age, clock, yet} from '../../terminal/quantity.ts';

const day = 86_400_000;

/** What was read longer ago than this says so, though nothing is wrong. */
const oldMs = 30_000;

/** How fresh what is shown is: a sign, a word, and since when where it is not. */
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

/** What words about an attempt depend on. */
type Moment = {
	readonly now: number;
	/** The stream of events says when to look. */
	readonly isLive: boolean;
	/** Which key tries now; undefined where none does. */
	readonly key: string | undefined;
};

/** When it is tried again, where it is not fresh; how old it is, where it is polled and not new. */
export function nextAttempt(freshness: Freshness, moment: Moment): readonly Segment[] {
	const words =
		freshness.state === 'fresh' ? oldWords(freshness.at, moment) : attemptWords(freshness, moment);
	return words === '' ? [] : [{text: `, ${words}`, role: 'dim'}];
}

/** How old what a pane shows is, and when it is tried again: for its title, where it is not new. */
export function freshnessWords(freshness: Freshness, moment: Moment): string {
	if (freshness.state === 'fresh') return oldWords(freshness.at, moment);
	const since = 'since' in freshness ? freshness.since : undefined;
	const asOf = since === undefined ? '' : `as of ${when(since, moment.now)}`;
	return [asOf, attemptWords(freshness, moment)].filter(Boolean).join(', ');
}

function oldWords(at: number, {now, isLive}: Moment): string {
	// Events tell when there is something newer.
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
	// What the service asked for holds for a hand too.
	const byHand = key === undefined || notBefore > now ? '' : `, ${key} now`;
	return `next try in ${yet(nextAt - now)}${byHand}`;
}

function when(at: number, now: number): string {
	return now - at < day ? clock(at) : `${age(now - at)} ago`;
}
