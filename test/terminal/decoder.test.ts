import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createDecoder} from '../../source/terminal/decoder.ts';
import type {InputEvent} from '../../source/terminal/input-event.ts';

fc.configureGlobal({seed: 20_260_102, numRuns: 300});

const bytes = (text: string) => new TextEncoder().encode(text);

/** What a chunk after another decodes to, short: keys by name, the rest by what they carry. */
function decode(...chunks: readonly (string | Uint8Array)[]): readonly string[] {
	const decoder = createDecoder();
	const events = chunks.flatMap(chunk => decoder.push(typeof chunk === 'string' ? bytes(chunk) : chunk));
	return [...events, ...decoder.flush()].map(show);
}

function show(event: InputEvent): string {
	if (event.type === 'key') return event.key;
	if (event.type === 'paste') return `paste(${event.text})${event.truncated ? ' cut' : ''}`;
	if (event.type === 'window-focus') return event.focused ? 'focus in' : 'focus out';
	if (event.type === 'reply') return `reply ${event.kind} ${event.data}`;
	const held = [event.ctrl && 'ctrl', event.alt && 'alt', event.shift && 'shift'].filter(Boolean).join('+');
	return `${held}${held && ' '}${event.action} ${event.button} ${event.column},${event.row}`;
}

describe('keys', () => {
	test.each([
		['a', ['a']],
		['G', ['G']],
		[' ', ['space']],
		['é', ['é']],
		['\r', ['enter']],
		['\t', ['tab']],
		['\u007f', ['backspace']],
		['\u0000', ['ctrl+space']],
		['\u0003\u0004\u001a', ['ctrl+c', 'ctrl+d', 'ctrl+z']],
		['\u001f', ['ctrl+_']],
		['\u001b', ['esc']],
		['\u001b\u001b', ['esc', 'esc']],
		['\u001b[A\u001b[B\u001b[C\u001b[D', ['up', 'down', 'right', 'left']],
		['\u001bOA\u001bOB\u001bOH\u001bOF', ['up', 'down', 'home', 'end']],
		['\u001b[H\u001b[F\u001b[1~\u001b[4~\u001b[7~\u001b[8~', ['home', 'end', 'home', 'end', 'home', 'end']],
		['\u001b[2~\u001b[3~\u001b[5~\u001b[6~', ['insert', 'delete', 'pageup', 'pagedown']],
		['\u001b[Z', ['shift+tab']],
		['\u001bOP\u001b[15~\u001b[24~\u001b[[A', ['f1', 'f5', 'f12', 'f1']],
		['\u001b[1;5A\u001b[1;2B\u001b[1;3C\u001b[1;7D', ['ctrl+up', 'shift+down', 'alt+right', 'ctrl+alt+left']],
		['\u001b[3;5~\u001b[6;3~', ['ctrl+delete', 'alt+pagedown']],
		['\u001b[7$\u001b[7^\u001b[a\u001bOa', ['shift+home', 'ctrl+home', 'shift+up', 'ctrl+up']],
		[
			'\u001bj\u001bG\u001b \u001b\r\u001b\u007f',
			['alt+j', 'alt+G', 'alt+space', 'alt+enter', 'alt+backspace'],
		],
		['\u001b\u0001', ['ctrl+alt+a']],
		['\u001bOM\u001bOp\u001bOk', ['enter', '0', '+']],
	])('%j is %j', (sent, keys) => {
		expect(decode(sent)).toEqual(keys);
	});

	test.each([
		['\u001b[97u', ['a']],
		['\u001b[97;5u', ['ctrl+a']],
		['\u001b[97;6u', ['ctrl+shift+a']],
		['\u001b[97;2u', ['A']],
		['\u001b[47:63;2u', ['?']],
		['\u001b[27u\u001b[13;5u\u001b[9;2u\u001b[32;2u', ['esc', 'ctrl+enter', 'shift+tab', 'shift+space']],
		['\u001b[97;1:3u', []],
		['\u001b[97;1:2u', ['a']],
		['\u001b[97;65u', ['a']],
		['\u001b[1;1:3A', []],
		['\u001b[57399u\u001b[57414u\u001b[57419u', ['0', 'enter', 'up']],
		['\u001b[57358u\u001b[57441u', []],
		['\u001b[27;5;105~', ['ctrl+i']],
		['\u001b[100;9u', ['super+d']],
	])('kitty and modifyOtherKeys: %j is %j', (sent, keys) => {
		expect(decode(sent)).toEqual(keys);
	});

	test('a key that types carries its text, one that does not carries none', () => {
		const events = createDecoder().push(bytes('a \u0001\u001bx\u001b[97;2u\u001b[32u\r'));
		expect(events.map(event => event.type === 'key' && event.text)).toEqual(['a', ' ', '', '', 'A', ' ', '']);
	});
});

describe('bursts', () => {
	test('each grapheme is a key of its own, Return and Tab among them stay', () => {
		expect(decode('ab\rc\td\u007f👩‍👩‍👧e\u0301日')).toEqual([
			'a',
			'b',
			'enter',
			'c',
			'tab',
			'd',
			'backspace',
			'👩‍👩‍👧',
			'e\u0301',
			'日',
		]);
	});

	test('a hundred keys in one chunk are a hundred events', () => {
		expect(decode('j'.repeat(100))).toEqual(Array.from({length: 100}, () => 'j'));
	});

	test('sequences and text may follow one another without a gap', () => {
		expect(decode('j\u001b[Bk\u001bOA\u001b[<0;1;1Mx')).toEqual([
			'j',
			'down',
			'k',
			'up',
			'press left 0,0',
			'x',
		]);
	});
});

describe('chunks', () => {
	test('an arrow stays an arrow wherever it is split', () => {
		expect(decode('\u001b', '[A')).toEqual(['up']);
		expect(decode('\u001b[', 'A')).toEqual(['up']);
		expect(decode('\u001b[1;', '5A')).toEqual(['ctrl+up']);
		expect(decode('\u001bO', 'B')).toEqual(['down']);
	});

	test('it says what it waits for', () => {
		const decoder = createDecoder();
		const held = (sent: string) => {
			decoder.push(bytes(sent));
			return decoder.held;
		};
		expect([held('a'), held('\u001b'), held('['), held('A')]).toEqual([
			'nothing',
			'escape',
			'sequence',
			'nothing',
		]);
		expect([held('\u001b[200~x'), held('\u001b[201~'), held('\u001b]11;'), held('rgb\u0007')]).toEqual([
			'paste',
			'nothing',
			'sequence',
			'nothing',
		]);
	});

	test('UTF-8 may be split inside a character', () => {
		const sent = bytes('日😀');
		expect(decode(sent.slice(0, 1), sent.slice(1, 4), sent.slice(4, 6), sent.slice(6))).toEqual(['日', '😀']);
	});

	test('bytes that are no UTF-8 type nothing, and what follows is heard', () => {
		expect(decode(new Uint8Array([0xff, 0xfe, 0x61, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]))).toEqual([
			'a',
			'(',
			'b',
		]);
	});

	test('however the bytes are split, the events are the same', () => {
		const piece = fc.constantFrom(
			'j',
			'é',
			'日',
			'\r',
			'\u001b[A',
			'\u001b[1;5D',
			'\u001bOP',
			'\u001b[200~a\nb\u001b[31m\u001b[201~',
			'\u001b[<65;10;5M',
			'\u001b]11;rgb:00/00/00\u001b\\',
			'\u001bP1$r0m\u001b\\',
			'\u001b[?62;4c',
			'\u001b[97;5u',
			'\u001bx',
			'\u001b[I',
		);
		fc.assert(
			fc.property(
				fc.array(piece, {maxLength: 12}),
				fc.array(fc.integer({min: 1, max: 7}), {maxLength: 60}),
				(pieces, sizes) => {
					const sent = bytes(pieces.join(''));
					const chunks: Uint8Array[] = [];
					let at = 0;
					for (const size of sizes) {
						chunks.push(sent.slice(at, at + size));
						at += size;
					}
					chunks.push(sent.slice(at));
					expect(decode(...chunks)).toEqual(decode(sent));
				},
			),
		);
	});

	test('no bytes whatever break it, and what comes after a flush is heard', () => {
		fc.assert(
			fc.property(fc.array(fc.uint8Array({maxLength: 40}), {maxLength: 6}), chunks => {
				const decoder = createDecoder();
				for (const chunk of chunks) decoder.push(chunk);
				decoder.flush();
				// A character cut short is replaced only when the next byte shows that it is broken.
				decoder.push(bytes(' '));
				decoder.flush();
				expect(decoder.held).toBe('nothing');
				expect(decoder.push(bytes('j')).map(show)).toEqual(['j']);
			}),
		);
	});
});

describe('giving up', () => {
	test('an unfinished sequence is dropped, and its introducer alone was alt with that key', () => {
		expect(decode('\u001b[1;5')).toEqual([]);
		expect(decode('\u001b[')).toEqual(['alt+[']);
		expect(decode('\u001bO')).toEqual(['alt+O']);
		expect(decode('\u001b]')).toEqual(['alt+]']);
		expect(decode('\u001bP')).toEqual(['alt+P']);
	});

	test('a sequence that another key interrupts does not take that key with it', () => {
		expect(decode('\u001b[1;5\u001b[A')).toEqual(['up']);
		expect(decode('\u001b[1\rj')).toEqual(['enter', 'j']);
		expect(decode(`\u001b[${'1;'.repeat(300)}Aj`).at(-1)).toBe('j');
	});
});

describe('paste', () => {
	test('a paste is one event, whatever is in it', () => {
		expect(decode('a\u001b[200~q\r\nquit\r\u0003\u001b[A\tx\u001b[201~b')).toEqual([
			'a',
			'paste(q\nquit\n\u0003\u001b[A\tx)',
			'b',
		]);
	});

	test('its end may be split, and an end that looks like one is text', () => {
		expect(decode('\u001b[200~one\u001b[20', '1~x')).toEqual(['paste(one)', 'x']);
		expect(decode('\u001b[200~one\u001b[20', '0~two\u001b[201~')).toEqual(['paste(one\u001b[200~two)']);
	});

	test('a paste beyond the bound is cut, says so, and its rest is not read as keys', () => {
		const events = createDecoder().push(bytes(`\u001b[200~${'x'.repeat(1_100_000)}\u001b[201~j`));
		expect(events.map(event => event.type)).toEqual(['paste', 'key']);
		const [paste] = events;
		expect(paste?.type === 'paste' && [paste.text.length, paste.truncated]).toEqual([1_048_576, true]);
	});

	test('a paste that never ends is given at the flush', () => {
		expect(decode('\u001b[200~half')).toEqual(['paste(half) cut']);
	});
});

describe('mouse and window', () => {
	test.each([
		['\u001b[<0;10;5M', ['press left 9,4']],
		['\u001b[<0;10;5m', ['release left 9,4']],
		['\u001b[<2;1;1M', ['press right 0,0']],
		['\u001b[<32;3;4M', ['drag left 2,3']],
		['\u001b[<35;3;4M', ['move none 2,3']],
		['\u001b[<64;1;1M\u001b[<65;1;1M', ['wheel-up none 0,0', 'wheel-down none 0,0']],
		['\u001b[<20;500;200M', ['ctrl+shift press left 499,199']],
		['\u001b[M !!', []],
		['\u001b[I\u001b[O', ['focus in', 'focus out']],
	])('%j is %j', (sent, events) => {
		expect(decode(sent)).toEqual(events);
	});
});

describe('replies', () => {
	test.each([
		['\u001b[?62;4;6c', ['reply device-attributes ?62;4;6c']],
		['\u001b[>41;354;0c', ['reply device-attributes >41;354;0c']],
		['\u001b[12;40R', ['reply cursor-position 12;40R']],
		['\u001b[1;2R', ['reply cursor-position 1;2R']],
		['\u001b[?2026;2$y', ['reply mode ?2026;2$y']],
		['\u001b[?1u', ['reply kitty-keyboard ?1u']],
		['\u001b[8;50;200t', ['reply window 8;50;200t']],
		['\u001b]11;rgb:0000/0000/0000\u0007', ['reply osc 11;rgb:0000/0000/0000']],
		['\u001b]11;rgb:ffff/ffff/ffff\u001b\\', ['reply osc 11;rgb:ffff/ffff/ffff']],
		['\u001bP>|XTerm(390)\u001b\\', ['reply dcs >|XTerm(390)']],
		['\u001b_Gi=31;OK\u001b\\', ['reply apc Gi=31;OK']],
		['\u001b[?1;2;3z', ['reply unknown ?1;2;3z']],
	])('%j types nothing: %j', (sent, events) => {
		expect(decode(`j${sent}k`)).toEqual(['j', ...events, 'k']);
	});

	test('a reply that goes on for ever is kept short', () => {
		const events = createDecoder().push(bytes(`\u001b]52;c;${'A'.repeat(100_000)}\u0007`));
		expect(events[0]?.type === 'reply' && events[0].data.length).toBe(4096);
	});
});
