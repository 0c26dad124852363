import {expect, test} from 'vitest';
import {readHint} from '../../../source/client/events/event-hint.ts';
import {EventLog, logBounds} from '../../../source/store/live/event-log.ts';
import {ManualClock} from '../../support/manual-clock.ts';

const event = (data: string) => ({
	name: 'job.phase',
	id: undefined,
	data,
	receivedAt: 5,
	hint: readHint({name: 'job.phase', data}),
});

test('a storm of events stays within its bounds, and what went is counted', () => {
	const clock = new ManualClock(0);
	const log = new EventLog(clock);
	const count = logBounds.entries + 700;
	for (let number = 0; number < count; number++) log.event(event(`{"n":${number}}`));
	clock.advance(1000);
	const {entries, dropped} = log.known.getState();
	expect(entries).toHaveLength(logBounds.entries);
	expect(dropped).toBe(700);
	expect(entries.at(-1)).toMatchObject({number: count, event: {data: `{"n":${count - 1}}`}});
});

test('huge events are cut, and many of them are fewer', () => {
	const clock = new ManualClock(0);
	const log = new EventLog(clock);
	const huge = event('x'.repeat(1_000_000));
	for (let number = 0; number < 600; number++) log.event(huge);
	clock.advance(1000);
	const {entries} = log.known.getState();
	const last = entries.at(-1);
	expect(last).toMatchObject({event: {cut: 1_000_000 - logBounds.dataChars}});
	expect(entries.length * logBounds.dataChars).toBeLessThanOrEqual(logBounds.allChars);
});

test('a burst is told once, and the same mark twice in a row stands once', () => {
	const clock = new ManualClock(0);
	const log = new EventLog(clock);
	let told = 0;
	log.known.subscribe(() => told++);
	for (let number = 0; number < 50; number++) log.event(event('{}'));
	log.mark({what: 'interrupted', reason: 'gone'});
	log.mark({what: 'interrupted', reason: 'gone'});
	clock.advance(1000);
	expect(told).toBe(1);
	expect(log.known.getState().entries).toHaveLength(51);
});
