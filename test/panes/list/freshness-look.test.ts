import {expect, test} from 'vitest';
import {freshnessWords} from '../../../source/panes/list/freshness-look.ts';
import type {Freshness} from '../../../source/store/queries/freshness.ts';
import {yet} from '../../../source/terminal/quantity.ts';

const now = new Date(2026, 4, 1, 14, 10).getTime();
const since = new Date(2026, 4, 1, 14, 2).getTime();
const trouble = {
	reason: 'it broke',
	isReading: false,
	isTriedAgain: true,
	whyNot: undefined,
	nextAt: now + 11_500,
	notBefore: undefined,
	isFromLastSession: false,
};

test.each<[string, Freshness, string]>([
	['nothing while it is new', {state: 'fresh', at: now - 5000, isReading: false}, ''],
	['how old it is, where it is polled', {state: 'fresh', at: now - 60_000, isReading: false}, '1 m old'],
	['when it is tried again', {state: 'stale', since, ...trouble}, 'as of 14:02, next try in 12 s, r now'],
	[
		'no key where the service asked to be left alone till then',
		{state: 'stale', since, ...trouble, notBefore: now + 11_000},
		'as of 14:02, next try in 12 s',
	],
	['that it is being tried', {state: 'stale', since, ...trouble, isReading: true}, 'as of 14:02, trying'],
	[
		'only the attempt, where nothing is there',
		{state: 'offline', since: undefined, ...trouble},
		'next try in 12 s, r now',
	],
	[
		'that nothing more is tried, and why',
		{state: 'failed', ...trouble, isTriedAgain: false, whyNot: 'the request is refused'},
		'no retry: the request is refused, r retries',
	],
	[
		'a day by its age',
		{state: 'offline', since: now - 3 * 86_400_000, ...trouble, nextAt: undefined},
		'as of 3 d ago',
	],
])('the title of a pane says %s', (_, freshness, words) => {
	expect(freshnessWords(freshness, {now, isLive: false, key: 'r'})).toBe(words);
});

test('with a live stream, data read long ago is not shown as old', () => {
	const moment = {now, isLive: true, key: 'r'};
	expect(freshnessWords({state: 'fresh', at: 0, isReading: false}, moment)).toBe('');
});

test('a wait that is not over never shows 0 s', () => {
	expect([-5, 900, 99_000, 101_000, 3 * 3_600_000].map(yet)).toEqual(['1 s', '1 s', '99 s', '2 m', '3 h']);
});
