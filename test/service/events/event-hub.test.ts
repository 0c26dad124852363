import {DatabaseSync} from 'node:sqlite';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {EventHub} from '../../../source/service/events/event-hub.ts';
import {EventStore, eventTables} from '../../../source/service/events/event-store.ts';

let database: DatabaseSync;
const logged: string[] = [];

beforeEach(() => {
	database = new DatabaseSync(':memory:');
	database.exec(eventTables);
	logged.length = 0;
});
afterEach(() => database.close());

const hubOver = (kept: number) =>
	new EventHub({store: new EventStore(database, kept), log: line => logged.push(line)});

function announceAll(hub: EventHub, from: number, to: number): void {
	for (let n = from; n <= to; n++) hub.announce({name: 'job.phase', data: {n}});
	hub.flush();
}

test('events come back in their order, each once, whether they are at hand or in the history', () => {
	const hub = hubOver(2000);
	announceAll(hub, 1, 1500);
	const seen: number[] = [];
	for (let cursor = 0; ; ) {
		const page = hub.after(cursor, 128);
		if (page.length === 0) break;
		seen.push(...page.map(({id}) => id));
		expect(page.map(({data}) => JSON.parse(data).n)).toEqual(page.map(({id}) => id));
		cursor = page.at(-1)?.id ?? cursor;
	}
	expect(seen).toEqual(Array.from({length: 1500}, (_, i) => i + 1));
});

test('the history is bounded, and says where it no longer reaches', () => {
	const hub = hubOver(100);
	announceAll(hub, 1, 250);
	expect(database.prepare('SELECT count(*) AS n FROM events').get()?.n).toBe(100);
	expect([hub.reaches(149), hub.reaches(150), hub.reaches(250), hub.reaches(251)]).toEqual([
		false,
		true,
		true,
		false,
	]);
});

test('a later service goes on where the earlier one ended, and gives no id twice', () => {
	announceAll(hubOver(100), 1, 3);
	const later = hubOver(100);
	expect([later.newest(), later.reaches(1)]).toEqual([3, true]);
	database.exec('DELETE FROM events');
	announceAll(later, 4, 4);
	expect(later.newest()).toBe(4);
});

test('64-bit counts keep their digits, and a name with a line end in its data keeps to its line', () => {
	const hub = hubOver(10);
	hub.announce({name: 'ingest.phase', data: {frames: 2n ** 63n, dataset_name: 'a\nid: 99\n\n'}});
	hub.flush();
	const [event] = hub.after(0, 1);
	expect(event?.data).toBe('{"frames":9223372036854775808,"dataset_name":"a\\nid: 99\\n\\n"}');
});

test('what cannot be written waits, and where too much waited a gap is told', () => {
	const hub = hubOver(5000);
	database.exec('PRAGMA query_only = ON');
	hub.announce({name: 'job.phase', data: {n: 1}});
	hub.flush();
	expect(logged).toEqual([expect.stringMatching(/^events cannot be written: /)]);
	database.exec('PRAGMA query_only = OFF');
	hub.flush();
	expect(hub.after(0, 10).map(({name}) => name)).toEqual(['job.phase']);
	database.exec('PRAGMA query_only = ON');
	announceAll(hub, 1, 1);
	for (let n = 2; n <= 1001; n++) hub.announce({name: 'job.phase', data: {n}});
	database.exec('PRAGMA query_only = OFF');
	hub.close();
	expect(hub.after(1, 2).map(({name, data}) => [name, JSON.parse(data).n])).toEqual([
		['gap', undefined],
		['job.phase', 2],
	]);
	expect(hub.newest()).toBe(1 + 1 + 1000);
});

test('a listener that cannot read on does not keep the others from being told', () => {
	const hub = hubOver(10);
	let told = 0;
	hub.listen(() => {
		throw new Error('disk I/O error');
	});
	hub.listen(() => told++);
	announceAll(hub, 1, 1);
	expect([told, logged]).toEqual([1, ['events cannot be read: disk I/O error']]);
});

test('listeners are told once a burst, and not after they left', () => {
	const hub = hubOver(100);
	let told = 0;
	const leave = hub.listen(() => told++);
	announceAll(hub, 1, 50);
	leave();
	announceAll(hub, 51, 60);
	expect([told, hub.listeners]).toEqual([1, 0]);
});
