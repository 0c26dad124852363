import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Freshness} from '../../store/freshness.ts';
import {age, clock, clockSeconds} from '../../terminal/quantity.ts';

const day = 86_400_000;

/** How fresh what is shown is: a sign, a word, and since when where it is not. */
export function freshnessLook(
	freshness: Freshness,
	{isLive, screen: {signs}, now}: {isLive: boolean; screen: Screen; now: number},
): readonly Segment[] {
	switch (freshness.state) {
		case 'loading':
			return [{text: `${signs.ring} reading`, role: 'dim'}];
		case 'fresh':
			return [{text: isLive ? `${signs.dot} live` : `${signs.partly} polling`, role: 'good'}];
		case 'stale':
			return [{text: `${signs.warning} stale since ${when(freshness.since, now)}`, role: 'warning'}];
		case 'offline':
			return [
				{
					text: `${signs.ring} offline${freshness.since === undefined ? '' : ` since ${when(freshness.since, now)}`}`,
					role: 'bad',
				},
			];
		case 'failed':
			return [{text: `${signs.no} no answer`, role: 'bad'}];
	}
}

/** When it is tried again, where it is not fresh; none where it is. */
export function nextAttempt(freshness: Freshness, now: number): readonly Segment[] {
	if (freshness.state === 'loading' || freshness.state === 'fresh') return [];
	const {isReading, nextAt} = freshness;
	if (isReading) return [{text: ', trying', role: 'dim'}];
	return nextAt === undefined || nextAt < now
		? []
		: [{text: `, again at ${clockSeconds(nextAt)}`, role: 'dim'}];
}

function when(at: number, now: number): string {
	return now - at < day ? clock(at) : `${age(now - at)} ago`;
}
