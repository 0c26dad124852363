import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {readHint} from '../../../source/client/events/event-hint.ts';
import {EventLog, logBounds} from '../../../source/store/queries/event-log.ts';
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

test('long names and ids count too, and of a huge event no more is kept than shows', () => {
	const clock = new ManualClock(0);
	const log = new EventLog(clock);
	const before = process.memoryUsage().heapUsed;
	for (let number = 0; number < 300; number++) {
		const data = JSON.stringify({name: `${number} ${'n'.repeat(500_000)}`, rest: 'x'.repeat(500_000)});
		log.event({
			...event(data),
			name: `${number} ${'e'.repeat(100_000)}`,
			id: `${number} ${'i'.repeat(100_000)}`,
		});
	}
	clock.advance(1000);
	const {entries, dropped} = log.known.getState();
	const [last] = entries.slice(-1);
	if (last?.kind !== 'event') throw new Error('no event');
	expect([last.event.name.length, last.event.id?.length]).toEqual([1024, 1024]);
	expect(entries.length + dropped).toBe(300);
	// Text of 360 MB came by; what is kept is 4 MB at the most.
	setFlagsFromString('--expose-gc');
	runInNewContext('gc')();
	expect(process.memoryUsage().heapUsed - before).toBeLessThan(40_000_000);
});
