import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {jobSeries} from '../../../source/contract/local-jobs.ts';
import {appendPoints, linesAPoint, readSeries} from '../../../source/service/jobs/records/job-series.ts';
import {installRelease} from '../../support/lerobot-releases/install.ts';
import {call} from '../support/call.ts';
import {ended, started, trainingHome, until} from '../support/training-home.ts';

const home = trainingHome();
const folder = mkdtempSync(path.join(tmpdir(), 'lakescope-series-'));
afterAll(() => rmSync(folder, {recursive: true}));

const seriesOf = async (service: Parameters<typeof call>[0], jobId: string, query = '') =>
	jobSeries.parse((await call(service, `/local/v1/jobs/${jobId}/series${query}`)).json());

test.each(['0.5.1', '0.6.1', 'newest'])(
	'the numbers that LeRobot %s prints are series by exact steps',
	async release => {
		const trainer = await installRelease(path.join(home.root, `env-${release}`), release);
		const service = await home.serve({trainer});
		const spec = {steps: 2300, save_freq: 1000, log_freq: 230};
		const held = release === '0.5.1' ? {} : {eval_split: 0.5};
		const jobId = await started(service, {batch_size: 8, vla_hyper_spec: {...spec, ...held}});
		expect((await until(service, jobId, ended)).status).toBe('completed');
		const all = await seriesOf(service, jobId);
		const logged = Array.from({length: 10}, (_, at) => (at + 1) * 230);
		const evaluated = release === '0.5.1' ? [] : [1000, 2000];
		expect(all.steps).toEqual([...logged, ...evaluated].sort((left, right) => left - right));
		const at = (step: number) => all.steps.indexOf(step);
		expect(all.series.loss?.[at(1150)]).toBe(0.003);
		expect(all.series.samples?.[at(1610)]).toBe(1610 * 8);
		expect(all.series.lr?.[at(230)]).toBe(1e-5);
		expect(Object.keys(all.series)).toEqual(
			expect.arrayContaining([
				'loss',
				'grad_norm',
				'lr',
				'samples',
				'episodes',
				'epochs',
				'update_s',
				'data_s',
			]),
		);
		if (release !== '0.5.1') {
			expect(all.series.eval_loss?.[at(1000)]).toBe(0.25);
			expect(all.series.loss?.[at(1000)]).toBeNull();
			expect(all.series.l1_loss?.[at(230)]).toBe(0.5);
		}
		const few = await seriesOf(service, jobId, '?limit=3');
		expect([few.total, few.steps.length, few.steps[0], few.steps[2]]).toEqual([all.total, 3, 230, 2300]);
		expect((await call(service, `/local/v1/jobs/${jobId}/series?limit=0`)).status).toBe(422);
	},
);

test('of an odd log each number is kept at its step, and what is no number is none', async () => {
	const prefix = 'INFO 2026-08-23 10:11:12 ot_train.py:214 ';
	const bar = (done: number) => `Training:  10%|█         | ${done}/30000 [00:12<01:28,  9.93step/s]`;
	const log = [
		// A line of the log behind a bar that was not ended, as both go to stderr.
		`${bar(200)}\u001b[0m\u001b[K${prefix}step:200 smpl:2K ep:4 epch:0.05 loss:3.123 grdn:12.100 lr:1.0e-05 updt_s:0.090 data_s:0.010`,
		`\r${bar(399)}\r\u001b[32m${prefix}\u001b[0mstep:400 smpl:3K ep:3.4M loss:nan grdn:inf lr:1e-05\r\n`,
		`${prefix}step:600 smpl:12k loss:1e400 grdn:-inf lr:.5 l1_loss:-2.5e+00 mem_gb:1.25 losses/after_forward:0.100 ∑rwrd:1.000\r\n`,
		`${prefix}step:99999999999999999999 loss:1.000\n`,
		`${prefix}Checkpoint policy after step 20000\n`,
		`${prefix}step:20K smpl:161K loss:0.500\n${prefix}step:20K smpl:163K loss:0.400\n`,
		`${prefix}step 20400: eval_loss=nan\n`,
		// It goes on from an earlier checkpoint without ending.
		`${prefix}Checkpoint policy after step 10000\n${prefix}step:10K smpl:82K loss:0.700\n${prefix}step:10K loss:0.600\n`,
	].join('');
	const script = path.join(folder, 'odd-trainer');
	writeFileSync(path.join(folder, 'odd.log'), log);
	writeFileSync(script, `#!/bin/sh\ncat '${folder}/odd.log' >&2\nexit 2\n`, {mode: 0o755});
	const service = await home.serve({trainer: script});
	const jobId = await started(service, {batch_size: 8, vla_hyper_spec: {steps: 30_000, log_freq: 200}});
	expect((await until(service, jobId, ended)).status).toBe('failed');
	const {steps, series} = await seriesOf(service, jobId);
	expect(steps).toEqual([200, 400, 600, 10_200, 10_400]);
	expect(series).toMatchObject({
		loss: [3.123, null, null, 0.7, 0.6],
		grad_norm: [12.1, null, null, null, null],
		lr: [1e-5, 1e-5, 0.5, null, null],
		samples: [1600, 3200, 12_000, 81_600, null],
		episodes: [4, 3_400_000, null, null, null],
		epochs: [0.05, null, null, null, null],
		l1_loss: [null, null, -2.5, null, null],
		'losses/after_forward': [null, null, 0.1, null, null],
	});
});

test('a training that went on from its checkpoint has each step once, as it was told last', async () => {
	const service = await home.serve();
	const spec = {steps: 40, save_freq: 10, log_freq: 5};
	const jobId = await started(service, {name: 'dies at 27', vla_hyper_spec: spec});
	const job = await until(service, jobId, ended);
	expect([job.status, job.retries]).toEqual(['completed', 1]);
	expect((await seriesOf(service, jobId)).steps).toEqual([5, 10, 15, 20, 25, 30, 35, 40]);
});

test('what was told twice counts once, what a kill cut off is left out, and nothing is no fault', async () => {
	const file = path.join(folder, 'series.jsonl');
	expect(await readSeries(file, 10)).toEqual({total: 0, steps: [], series: {}});
	const point = (step: number, loss: number | null) => ({step, values: {loss}});
	appendPoints(file, [point(5, 3), point(10, 2), point(15, 1)]);
	appendFileSync(file, '[20, {"lo');
	appendPoints(file, [point(10, 2.5), {step: 10, values: {eval_loss: 7}}, point(20, null)]);
	expect(await readSeries(file, 10)).toEqual({
		total: 3,
		steps: [5, 10, 20],
		series: {loss: [3, 2.5, null], eval_loss: [null, 7, null]},
	});
	expect((await readSeries(file, 1)).steps).toEqual([20]);
});

test('of very many lines some are kept', () => {
	expect(linesAPoint(100_000, 20)).toBe(1);
	expect(linesAPoint(12_000_000, 20)).toBe(30);
	expect(linesAPoint(null, 20)).toBe(1);
});
