import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {readTrainerLine} from '../../../source/service/jobs/lerobot/trainer-sign.ts';
import {samplesAt, stepOfBar, stepOfLine} from '../../../source/service/jobs/log-reader.ts';
import {readLogLines, readLogWindow} from '../../../source/service/jobs/records/log-window.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-trainer-'));
afterAll(() => rmSync(folder, {recursive: true}));

describe('a line of LeRobot’s trainer', () => {
	const prefix = 'INFO 2025-11-04 10:11:12 ot_train.py:351 ';

	test.each([
		['Creating dataset', {kind: 'phase', phase: 'dataset'}],
		['Creating policy', {kind: 'phase', phase: 'model'}],
		['Creating optimizer and scheduler', {kind: 'phase', phase: 'model'}],
		[
			'Start offline training on a fixed dataset, with effective batch size: 8',
			{kind: 'phase', phase: 'training'},
		],
		['Checkpoint policy after step 20000', {kind: 'saving', step: 20_000}],
		['End of training', {kind: 'phase', phase: 'saving'}],
	])('%s', (line, sign) => {
		expect(readTrainerLine(`${prefix}${line}`)).toEqual(sign);
		expect(readTrainerLine(`\u001b[32m${prefix}\u001b[0m${line}`)).toEqual(sign);
	});

	test('tells of its step, its loss and its rate', () => {
		const line = `${prefix}step:200 smpl:2K ep:4 epch:0.05 loss:3.123 grdn:12.1 lr:1.0e-05 updt_s:0.090 data_s:0.010`;
		expect(readTrainerLine(line)).toEqual({
			kind: 'step',
			printed: {value: 200, unit: 1},
			loss: 3.123,
			stepsPerSecond: 10,
			metrics: {
				samples: 2000,
				episodes: 4,
				epochs: 0.05,
				loss: 3.123,
				grad_norm: 12.1,
				lr: 1e-5,
				update_s: 0.09,
				data_s: 0.01,
			},
		});
		expect(readTrainerLine(`${prefix}step:12K smpl:1M loss:nan`)).toEqual({
			kind: 'step',
			printed: {value: 12, unit: 1000},
			loss: null,
			stepsPerSecond: null,
			metrics: {samples: 1e6, loss: null},
		});
	});

	test('has its numbers read by their names, whatever order and whichever more there are', () => {
		const line = `${prefix}step:1K lr:2.5e-05 loss:inf data_s:0.010 prep_s:0.002 updt_s:0.090 step_s:0.200 smp/s:80 mem_gb:1.25 l1_loss:-0.5 note:fine`;
		expect(readTrainerLine(line)).toEqual({
			kind: 'step',
			printed: {value: 1, unit: 1000},
			loss: null,
			stepsPerSecond: 5,
			metrics: {
				lr: 2.5e-5,
				loss: null,
				data_s: 0.01,
				prep_s: 0.002,
				update_s: 0.09,
				step_s: 0.2,
				samples_per_s: 80,
				mem_gb: 1.25,
				l1_loss: -0.5,
			},
		});
	});

	test('tells of the loss on what is held out', () => {
		const evaluation = {kind: 'evaluation', step: 1500, loss: 0.25};
		expect(readTrainerLine(`${prefix}step 1500: eval_loss=0.250`)).toEqual(evaluation);
		expect(readTrainerLine(`${prefix}step 1500: eval_loss=nan`)).toEqual({...evaluation, loss: null});
	});

	test.each([
		['Training:  12%|█▏        | 120/1000 [00:12<01:28,  9.93step/s]', 120, 1000, 9.93],
		['Training:   1%|          | 1/100 [00:04<06:36,  4.00s/step]', 1, 100, 0.25],
		['Training:   0%|          | 0/100 [00:00<?, ?step/s]', 0, 100, null],
	])('%s', (line, done, total, stepsPerSecond) => {
		expect(readTrainerLine(line)).toEqual({kind: 'bar', done, total, stepsPerSecond});
	});

	test.each(['', 'footstep:12 of the robot', 'timestep:3', 'Downloading (…) 12%|█| 1/8 [00:01<00:07]'])(
		'%j tells nothing',
		line => {
			expect(readTrainerLine(line)).toBeUndefined();
		},
	);
});

describe('the step', () => {
	const counting = {steps: 5000, logEvery: 200};

	test('is counted on where it is printed rounded', () => {
		const printed = (step: number) =>
			step < 1000 ? {value: step, unit: 1} : {value: Math.round(step / 1000), unit: 1000};
		let step = 0;
		for (let real = 200; real <= 5000; real += 200) {
			step = stepOfLine(printed(real), step, counting);
			expect(step).toBe(real);
		}
	});

	test('is what is printed where that is all that is known', () => {
		expect(stepOfLine({value: 12, unit: 1000}, 0, counting)).toBe(12_000);
	});

	test('has its samples exact where they read like what is printed', () => {
		expect(samplesAt(1500, 8, 12_000)).toBe(12_000);
		expect(samplesAt(1420, 8, 11_000)).toBe(11_360);
		expect(samplesAt(1420, 8, 23_000)).toBe(22_720);
		expect(samplesAt(20, 8, 160)).toBe(160);
		expect(samplesAt(1420, 8, 9000)).toBe(9000);
		expect(samplesAt(1420, 8, undefined)).toBeUndefined();
	});

	test('of a bar counts from where the trainer went on', () => {
		expect(stepOfBar({done: 10, total: 1000}, counting)).toBe(4010);
		expect(stepOfBar({done: 10, total: 5000}, counting)).toBe(10);
	});
});

describe('a log', () => {
	test('is read in whole lines, however it grows', async () => {
		const file = path.join(folder, 'grows.log');
		expect(await readLogLines(file, 0)).toEqual({lines: [], next: 0});
		writeFileSync(file, 'one\ntwo\rthr');
		expect(await readLogLines(file, 0)).toEqual({lines: ['one', 'two'], next: 8});
		expect(await readLogLines(file, 8)).toEqual({lines: [], next: 8});
		appendFileSync(file, 'ee\n');
		expect(await readLogLines(file, 8)).toEqual({lines: ['three'], next: 14});
	});

	test('with a line of any length is read past it', async () => {
		const file = path.join(folder, 'long.log');
		writeFileSync(file, `${'x'.repeat(1_000_000)}\nend\n`);
		const lines: string[] = [];
		for (let offset = 0; ; ) {
			const reading = await readLogLines(file, offset);
			lines.push(...reading.lines);
			if (reading.next === offset) break;
			offset = reading.next;
		}
		expect(lines).toEqual(['end']);
	});

	test('is given in pieces that cut no character', async () => {
		const file = path.join(folder, 'window.log');
		const text = 'aé█🤖'.repeat(20);
		writeFileSync(file, text);
		for (const limit of [1, 4, 5, 7, 64]) {
			let read = '';
			for (let offset = 0; ; ) {
				const piece = await readLogWindow(file, offset, limit);
				read += piece.text;
				if (piece.next_offset === piece.size) break;
				expect(piece.next_offset).toBeGreaterThan(offset);
				offset = piece.next_offset;
			}
			expect(read).toBe(text);
		}
		expect((await readLogWindow(file, -6, 100)).text).toBe('🤖');
		expect(await readLogWindow(file, 5000, 100)).toMatchObject({text: '', offset: 200, next_offset: 200});
		expect(await readLogWindow(path.join(folder, 'none'), 0, 100)).toMatchObject({text: '', size: 0});
	});

	test('that is not UTF-8 is given all the same', async () => {
		const file = path.join(folder, 'bytes.log');
		writeFileSync(file, Buffer.from([0x61, 0xff, 0x80, 0x80, 0x80, 0x62, 0xf0]));
		expect((await readLogWindow(file, 0, 100)).text).toMatch(/^a\ufffd+b\ufffd$/);
	});
});
