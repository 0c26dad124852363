import type {Screen} from '../../components/screen.tsx';
import type {Segment} from '../../components/segment.ts';
import type {Freshness} from '../../store/freshness.ts';
import {age, clock} from '../../terminal/quantity.ts';

const day = 86_400_000;

/** How fresh what is shown is: a sign, a word, and since when where it is not. */
export function freshnessLook(freshness: Freshness, {signs}: Screen, now: number): readonly Segment[] {
	switch (freshness.state) {
		case 'loading':
			return [{text: `${signs.ring} reading`, role: 'dim'}];
		case 'fresh':
			return [{text: `${freshness.isReading ? signs.ring : signs.dot} polling`, role: 'good'}];
		case 'stale':
			return [{text: `${signs.warning} stale since ${when(freshness.since, now)}`, role: 'warning'}];
		case 'offline':
			return [
				{
					text: `${signs.no} offline${freshness.since === undefined ? '' : ` since ${when(freshness.since, now)}`}`,
					role: 'bad',
				},
			];
		case 'failed':
			return [{text: `${signs.no} no answer`, role: 'bad'}];
	}
}

function when(at: number, now: number): string {
	return now - at < day ? clock(at) : `${age(now - at)} ago`;
}
