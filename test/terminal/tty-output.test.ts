import {execFileSync} from 'node:child_process';
import {closeSync, constants, mkdtempSync, openSync, readSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createTtyOutput} from '../../source/terminal/tty-output.ts';

/** Something that takes only so much before it is read: a pipe. */
function slowReader() {
	const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-tty-output-'));
	const file = path.join(folder, 'pipe');
	execFileSync('mkfifo', [file]);
	const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
	onTestFinished(() => {
		closeSync(fd);
		rmSync(folder, {recursive: true});
	});
	const stdout = {fd} as unknown as typeof process.stdout;
	return {
		output: createTtyOutput(stdout, {
			isPatient: true,
			gone: () => {
				throw new Error('the pipe is gone');
			},
		}),
		/** Takes what is there now. */
		read(): string {
			const bytes = Buffer.alloc(4 * 1024 * 1024);
			try {
				return bytes.toString('latin1', 0, readSync(fd, bytes));
			} catch {
				return '';
			}
		},
	};
}

test('what a slow reader has not taken follows as it reads, whole and in order', async () => {
	const {output, read} = slowReader();
	const text = Array.from({length: 60_000}, (_, line) => `line ${line}\n`).join('');
	output.write(text);
	output.write('the end');
	expect(output.isTaken).toBe(false);
	let taken = 0;
	output.whenTaken(() => taken++);
	let seen = '';
	await expect
		.poll(() => {
			seen += read();
			return seen.endsWith('the end');
		})
		.toBe(true);
	expect(seen).toBe(`${text}the end`);
	await expect.poll(() => taken).toBe(1);
	expect(output.isTaken).toBe(true);
});

test('at the end what was not taken is given up, and a cut sequence is cancelled', () => {
	const {output, read} = slowReader();
	output.write('\u001b[31m'.repeat(200_000));
	read();
	expect(output.writeLast('last words', 100)).toBe(true);
	expect(read()).toBe('\u0018last words');
	expect(output.isTaken).toBe(true);
});

test('a reader that stands still is not waited for', () => {
	const {output} = slowReader();
	output.write('x'.repeat(1_000_000));
	expect(output.writeLast('last words', 50)).toBe(false);
});
