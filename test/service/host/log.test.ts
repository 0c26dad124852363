import {mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {fileLog} from '../../../source/service/host/log.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'lakescope-log-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

test('a line holds when, which process and what, and the file is for its user alone', () => {
	const file = path.join(folder, 'service.log');
	fileLog(file)('something happened');
	expect(readFileSync(file, 'utf8')).toMatch(
		new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z ${process.pid} something happened\n$`),
	);
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a log never grows beyond its bound, and keeps the lines before the last turn', () => {
	const file = path.join(folder, 'service.log');
	const log = fileLog(file);
	const stderr = openSync(file, 'a');
	for (let line = 0; line < 1200; line++) log(`${line} ${'x'.repeat(3000)}`);
	writeSync(stderr, 'last words of a native library\n');
	expect(statSync(file).size).toBeLessThan(1.1 * 1024 * 1024);
	expect(statSync(`${file}.1`).size).toBeLessThan(1.1 * 1024 * 1024);
	const text = readFileSync(`${file}.1`, 'utf8') + readFileSync(file, 'utf8');
	expect(text).toContain(' 1199 xxx');
	expect(text.endsWith('last words of a native library\n')).toBe(true);
	const numbers = [...text.matchAll(/ (\d+) x+/g)].map(match => Number(match[1]));
	expect(numbers).toEqual(Array.from({length: numbers.length}, (_, i) => 1200 - numbers.length + i));
});

test('a log that cannot be written stops nothing', () => {
	expect(() => fileLog(path.join(folder, 'missing', 'service.log'))('lost')).not.toThrow();
});
