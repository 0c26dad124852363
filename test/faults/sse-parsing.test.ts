import {expect, test} from 'vitest';
import {EventParser, maxEventChars} from '../../source/client/event-parser.ts';
import {patience, randomFrom, times} from './support/soak.ts';
import {type Interpretation, interpret} from './support/sse-reference.ts';

const encoder = new TextEncoder();
const bom = '\uFEFF';

/** What the client's parser makes of a stream that comes in these pieces. */
function read(pieces: readonly Uint8Array[]): Interpretation {
	const retries: number[] = [];
	const parser = new EventParser({onRetry: ms => retries.push(ms)});
	const blocks = pieces.flatMap(piece => parser.feed(piece));
	const events = blocks.flatMap(({lastId, event}) =>
		event ? [{lastId, name: event.name, data: event.data}] : [],
	);
	return {events, retries, lastId: blocks.at(-1)?.lastId ?? ''};
}

const cutAt = (bytes: Uint8Array, at: number) => [bytes.subarray(0, at), bytes.subarray(at)];
const singly = (bytes: Uint8Array) => Array.from(bytes, byte => Uint8Array.of(byte));

const data = (text: string, name = 'message', lastId = '') => ({lastId, name, data: text});

/** The standard's own examples and its traps, with what they dispatch. */
const cases: readonly (readonly [string, string, Partial<Interpretation>])[] = [
	['lines of data', 'data: YHOO\ndata: +2\ndata: 10\n\n', {events: [data('YHOO\n+2\n10')]}],
	[
		'a comment, an id, an id taken back',
		': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
		{
			events: [data('first event', 'message', '1'), data('second event'), data(' third event')],
			lastId: '',
		},
	],
	['empty data', 'data\n\ndata\ndata\n\ndata:', {events: [data(''), data('\n')]}],
	['a space after the colon', 'data:test\n\ndata: test\n\n', {events: [data('test'), data('test')]}],
	['a byte order mark', `${bom}data: 1\n\n`, {events: [data('1')]}],
	['two byte order marks', `${bom}${bom}data: 1\n\ndata: 2\n\n`, {events: [data('2')]}],
	['what only looks like a byte order mark', 'ï»¿data: 1\n\ndata: 2\n\n', {events: [data('2')]}],
	['carriage returns', 'data: 1\rdata: 2\r\rdata: 3\r\r', {events: [data('1\n2'), data('3')]}],
	['both line ends', 'data: 1\r\ndata: 2\r\n\r\ndata: 3\r\n\r\n', {events: [data('1\n2'), data('3')]}],
	['line ends mixed', 'data: 1\r\n\rdata: 2\n\r\ndata: 3\r\r\n', {events: [data('1'), data('2'), data('3')]}],
	[
		'an id with NULL',
		'id: 1\0\ndata: x\n\nid: 2\ndata: y\n\n',
		{events: [data('x'), data('y', 'message', '2')]},
	],
	['an id without data', 'id: 7\n\ndata: x\n\n', {events: [data('x', 'message', '7')], lastId: '7'}],
	['an id of an event that is not whole', 'id: 1\ndata: x\n\nid: 2\ndata: y\n', {lastId: '1'}],
	[
		'an id that stays',
		'id: 1\ndata: x\n\ndata: y\n\n',
		{events: [data('x', 'message', '1'), data('y', 'message', '1')]},
	],
	['waits that are no numbers', 'retry: 1e3\nretry: -5\nretry:\nretry: 1.5\nretry: 12\n\n', {retries: [12]}],
	['an event without data', 'event: a\n\ndata: x\n\n', {events: [data('x')]}],
	['a name that is taken back', 'event: a\nevent:\ndata: x\n\n', {events: [data('x')]}],
	['fields that nobody knows', 'Data: 1\ndata : 2\n data: 3\nfoo\ndata: 4\n\n', {events: [data('4')]}],
	['letters of several bytes', 'event: é🙂\ndata: 漢字 🤖\n\n', {events: [data('漢字 🤖', 'é🙂')]}],
	['NULL in data', 'data: a\0b\n\n', {events: [data('a\0b')]}],
	['no end', 'data: x\n\ndata: y', {events: [data('x')]}],
];

test.each(cases)('%s: the same events however the stream is cut', (_, text, expected) => {
	const bytes = encoder.encode(text);
	const whole = interpret(bytes);
	expect(whole).toMatchObject(expected);
	for (let at = 0; at <= bytes.length; at++) expect(read(cutAt(bytes, at))).toEqual(whole);
	expect(read(singly(bytes))).toEqual(whole);
});

/** What random streams are made of: everything that means something, and some that does not. */
const morsels = [
	...[
		'data',
		'data:',
		'data: ',
		'event:',
		'event: ',
		'id',
		'id: ',
		'retry:',
		'retry: ',
		':',
		' ',
		'dat',
		'x: ',
	],
	...[
		'\n',
		'\r',
		'\r\n',
		'\n\n',
		'\n',
		'\r\n\r\n',
		'\0',
		'7',
		'12',
		'é',
		'🤖',
		'{"a":1}',
		bom,
		'\u2028',
		'job.phase',
	],
];

const streams = times(1000, 10_000);

test(
	`${streams} random streams: the same events however they are cut`,
	() => {
		const random = randomFrom(20_260_501);
		const any = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
		for (let nth = 0; nth < streams; nth++) {
			const text = Array.from({length: 1 + Math.floor(random() * 60)}, () => any(morsels)).join('');
			const bytes = encoder.encode(text);
			// Bytes that are no UTF-8 come as well.
			if (random() < 0.2) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
			const pieces: Uint8Array[] = [];
			for (let at = 0; at < bytes.length; ) {
				const size = Math.floor(random() * 12);
				pieces.push(bytes.subarray(at, at + size));
				at += size;
			}
			const whole = interpret(bytes);
			expect([text, read(pieces)]).toEqual([text, whole]);
			expect([text, read(singly(bytes))]).toEqual([text, whole]);
		}
	},
	patience(streams, 20),
);

test.each([
	['a line of data without an end', 'data: ', 'x'],
	['a name without an end', 'event: ', 'x'],
	['data of ever more lines', '', 'data: xxxxxxxxx\n'],
])('%s is given up at 1 MiB', (_, first, more) => {
	const parser = new EventParser();
	parser.feed(encoder.encode(first));
	const chunk = encoder.encode(more.repeat(Math.ceil(16_384 / more.length)));
	let fed = 0;
	while (!parser.overflowed && fed < 8 * maxEventChars) {
		parser.feed(chunk);
		fed += chunk.length;
	}
	expect(parser.overflowed).toBe(true);
	expect(fed).toBeLessThanOrEqual(maxEventChars * 1.6 + chunk.length);
});

test('comments and unknown fields of any length are skipped, and take no memory', () => {
	for (const first of [':', 'unknown: ']) {
		const parser = new EventParser();
		parser.feed(encoder.encode(first));
		const chunk = encoder.encode('x'.repeat(65_536));
		for (let fed = 0; fed < 64; fed++) expect(parser.feed(chunk)).toEqual([]);
		// What is kept is bounded at a quarter of what was fed.
		expect(parser.overflowed).toBe(false);
		const end = parser.feed(encoder.encode('\ndata: on\n\n'));
		expect(end.map(({event}) => event?.data)).toEqual(['on']);
	}
});
