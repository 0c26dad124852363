import {
	appendFileSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeEach, expect, test} from 'vitest';
import {Journal} from '../../source/upload/journal.ts';

const root = mkdtempSync(path.join(tmpdir(), 'lakescope-journal-'));
process.env.XDG_STATE_HOME = root;
const folder = path.join(root, 'lakescope', 'uploads');
const blob = (digit: string) => ({blob_id: digit.repeat(64), content_length: 7});
const first = {path: 'data/a', stamp: '7:1:1:1'};

const problems: string[] = [];
const open = (name = 'dataset') =>
	new Journal({service: 'lake', folder: name}, sentence => problems.push(sentence));
const fileOf = () => path.join(folder, readdirSync(folder)[0] ?? '');

beforeEach(() => {
	rmSync(folder, {recursive: true, force: true});
	problems.length = 0;
});

afterAll(() => rmSync(root, {recursive: true, force: true}));

test('remembers hashes and confirmations across an end, for this user’s eyes alone', () => {
	const journal = open();
	journal.noteHash(first, [blob('a'), blob('b')]);
	journal.noteSent(blob('a').blob_id);
	const again = open();
	expect(again.blobsOf(first)).toEqual([blob('a'), blob('b')]);
	expect(again.wasSent(blob('a').blob_id)).toBe(true);
	expect(again.wasSent(blob('b').blob_id)).toBe(false);
	expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
	expect(statSync(folder).mode & 0o777).toBe(0o700);
	expect(problems).toEqual([]);
});

test('a file that changed, or was found out, is not remembered', () => {
	const journal = open();
	journal.noteHash(first, [blob('a')]);
	expect(journal.blobsOf({...first, stamp: '8:2:2:1'})).toBeUndefined();
	journal.forget(first.path);
	expect(open().blobsOf(first)).toBeUndefined();
});

test('cut off at any byte it loses no line but the last, and goes on', () => {
	const journal = open();
	journal.noteHash(first, [blob('a')]);
	journal.noteSent(blob('a').blob_id);
	journal.noteSent(blob('b').blob_id);
	const whole = readFileSync(fileOf());
	const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1;
	for (let cut = lastLine; cut <= whole.length; cut++) {
		writeFileSync(fileOf(), whole);
		truncateSync(fileOf(), cut);
		const reopened = open();
		expect(reopened.blobsOf(first)).toEqual([blob('a')]);
		expect(reopened.wasSent(blob('a').blob_id)).toBe(true);
		// The whole line without its line feed says all there is to say.
		expect(reopened.wasSent(blob('b').blob_id)).toBe(cut >= whole.length - 1);
		reopened.noteSent(blob('c').blob_id);
		reopened.close();
		expect(open().wasSent(blob('c').blob_id)).toBe(true);
	}
});

test('lines that others wrote are passed over', () => {
	open().noteSent(blob('a').blob_id);
	appendFileSync(fileOf(), '{"sent":"short"}\nnull\n{"hashed":1}\n\u0000\n[]\n{"later":true}\n');
	const journal = open();
	expect(journal.wasSent(blob('a').blob_id)).toBe(true);
	expect(journal.wasSent('short')).toBe(false);
});

test('each service and each folder has its own, and a whole upload leaves none', () => {
	const one = open('one');
	open('two');
	new Journal({service: 'another', folder: 'one'}, () => undefined);
	expect(readdirSync(folder)).toHaveLength(3);
	one.remove();
	expect(readdirSync(folder)).toHaveLength(2);
});

test('where nothing can be kept that is said once, and the upload goes on', () => {
	writeFileSync(path.join(root, 'in-the-way'), '');
	process.env.XDG_STATE_HOME = path.join(root, 'in-the-way');
	const journal = open();
	process.env.XDG_STATE_HOME = root;
	journal.noteSent(blob('a').blob_id);
	expect(journal.wasSent(blob('a').blob_id)).toBe(true);
	expect(problems).toEqual([
		expect.stringMatching(/cannot be written: .*After an interruption all files are hashed again\.$/),
	]);
});
