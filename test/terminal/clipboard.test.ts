import {expect, test} from 'vitest';
import type {Capabilities} from '../../source/terminal/capabilities.ts';
import {clipboardSequence, createCopy, longestCopy} from '../../source/terminal/clipboard.ts';

const esc = '\u001b';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test('a terminal alone is given the text as it takes it', () => {
	expect(clipboardSequence('día', {multiplexer: 'none'})).toBe(`${esc}]52;c;${base64('día')}\u0007`);
});

test('tmux is given it twice: for itself, and to pass on', () => {
	const own = `${esc}]52;c;${base64('x')}\u0007`;
	expect(clipboardSequence('x', {multiplexer: 'tmux'})).toBe(
		`${own}${esc}Ptmux;${esc}${esc}]52;c;${base64('x')}\u0007${esc}\\`,
	);
});

test('screen passes it on in pieces that it can hold', () => {
	const text = 'x'.repeat(3000);
	const [own = '', ...passed] = clipboardSequence(text, {multiplexer: 'screen'}).split(`${esc}P`);
	expect(own).toBe(`${esc}]52;c;${base64(text)}\u0007`);
	expect(passed.length).toBeGreaterThan(1);
	for (const piece of passed) expect(piece.length).toBeLessThanOrEqual(768 - 2);
	expect(passed.map(piece => piece.slice(0, -2)).join('')).toBe(own);
});

/** A clipboard whose bytes, file and tmux are looked at. */
function clipboard(
	capabilities: Pick<Capabilities, 'clipboard' | 'multiplexer'>,
	{tmuxTakes = false, fileFails = false} = {},
) {
	const sent: string[] = [];
	const kept: string[] = [];
	const copy = createCopy({
		capabilities,
		send: bytes => sent.push(bytes),
		async keep(text) {
			if (fileFails) throw new Error('copied.txt cannot be written: the disk is full');
			kept.push(text);
			return '~/copied.txt';
		},
		giveTmux: async () => tmuxTakes,
	});
	return {copy, sent, kept};
}

test('a terminal that is known to take copies is trusted', async () => {
	const {copy, sent, kept} = clipboard({clipboard: 'known', multiplexer: 'none'});
	expect(await copy('abc', 'the id')).toEqual({kind: 'info', text: 'Copied the id.'});
	expect([sent.length, kept]).toEqual([1, []]);
});

test('where nobody knows, it is sent, kept in a file, and the file is named', async () => {
	const {copy, sent, kept} = clipboard({clipboard: 'unknown', multiplexer: 'none'});
	const {text} = await copy('abc', 'the id');
	expect(text).toBe('Copied the id, if this terminal takes it (OSC 52). It is in ~/copied.txt.');
	expect([sent.length, kept]).toEqual([1, ['abc']]);
});

test('a terminal that takes none is sent none', async () => {
	const {copy, sent, kept} = clipboard({clipboard: 'none', multiplexer: 'none'});
	const report = await copy('abc', 'the id');
	expect(report).toEqual({
		kind: 'warning',
		text: 'This terminal has no way to copy the id. It is in ~/copied.txt.',
	});
	expect([sent, kept]).toEqual([[], ['abc']]);
});

test('inside tmux its own command is believed, and without it the file is named', async () => {
	const willing = clipboard({clipboard: 'tmux', multiplexer: 'tmux'}, {tmuxTakes: true});
	expect((await willing.copy('abc', 'the id')).text).toBe('Copied the id; tmux has it too (prefix ]).');
	const old = clipboard({clipboard: 'tmux', multiplexer: 'tmux'});
	expect((await old.copy('abc', 'the id')).text).toMatch(/if this terminal takes it .* ~\/copied\.txt\.$/);
});

test('what is longer than terminals take is not sent, and the bound is said', async () => {
	const {copy, sent, kept} = clipboard({clipboard: 'known', multiplexer: 'none'});
	expect((await copy('x'.repeat(longestCopy), 'the ids')).text).toBe('Copied the ids.');
	expect(sent[0]?.length).toBeLessThanOrEqual(100_000);
	const report = await copy('é'.repeat(longestCopy), 'the ids');
	expect(report).toEqual({
		kind: 'warning',
		text: 'Too long to copy (149,988 bytes, a terminal takes 74,994): the ids. It is in ~/copied.txt.',
	});
	expect([sent.length, kept.length]).toEqual([1, 1]);
});

test('a file that cannot be written is told too', async () => {
	const {copy} = clipboard({clipboard: 'none', multiplexer: 'none'}, {fileFails: true});
	expect((await copy('abc', 'the id')).text).toBe(
		'This terminal has no way to copy the id. It could not be kept in a file either: copied.txt cannot be written: the disk is full.',
	);
});
