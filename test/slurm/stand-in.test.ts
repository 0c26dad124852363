import {chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeEach, describe, expect, test} from 'vitest';
import {JobFolder} from '../../source/service/jobs/records/job-folder.ts';
import {SlurmTrainer} from '../../source/service/jobs/trainers/slurm.ts';
import {
	readRows,
	SlurmQueue,
	secondsOf,
	slurmEnvironment,
} from '../../source/service/jobs/trainers/slurm-commands.ts';

/* What one node without cgroups, preemption and accounting cannot produce, from stand-ins of SLURM's commands. */

const root = mkdtempSync(path.join(tmpdir(), 'lakescope-slurm-'));
const before = process.env.PATH;
process.env.PATH = `${root}/bin:${before}`;
afterAll(() => {
	process.env.PATH = before;
	rmSync(root, {recursive: true});
});

/** Has a command print this, or fail where there is nothing to print. */
function prints(program: string, text: string | undefined): void {
	const file = path.join(root, 'bin', program);
	writeFileSync(`${file}.txt`, text ?? '');
	writeFileSync(file, `#!/bin/sh\n${text === undefined ? 'exit 1' : `cat '${file}.txt'`}\n`);
	chmodSync(file, 0o755);
}

const jobId = '0d6c6a7e-1111-4222-8333-444455556666';
const folder = new JobFolder(root, {jobId, filesIn: path.join(root, jobId)});
const marker = path.join(folder.folder, `${jobId}-1`);
const run = {folder, launch: 1, handle: {launch: 1}};
const minutes = 600;

function trainer() {
	const settings = {kind: 'slurm', sharedDir: root} as const;
	const timing = {settleMs: 1, cancelMs: 1, sharedWithin: 1};
	return new SlurmTrainer('lab', settings, {queue: new SlurmQueue(0), timing, log: () => undefined});
}

/** A launch that began, with what it left. */
function left({code, term, ran = 100}: {code?: number; term?: number; ran?: number}): void {
	mkdirSync(marker, {recursive: true});
	writeFileSync(path.join(marker, 'slurm-id'), '7\n');
	writeFileSync(path.join(marker, 'runs'), `0 ${Math.round(Date.now() / 1000) - ran} node3\n`);
	writeFileSync(path.join(folder.folder, 'minutes-1'), `${minutes}\n`);
	if (term !== undefined) writeFileSync(path.join(marker, 'term'), `${term}\n`);
	if (code !== undefined) writeFileSync(folder.exitFile(1), `${code}\n`);
}

beforeEach(() => {
	rmSync(folder.folder, {recursive: true, force: true});
	mkdirSync(path.join(root, 'bin'), {recursive: true});
	prints('squeue', '');
	prints('scontrol', undefined);
	prints('sacct', undefined);
});

describe('a job that has left the queue', () => {
	test.each([
		[
			'scontrol',
			'JobId=7 JobState=OUT_OF_MEMORY Reason=OutOfMemory ExitCode=0:125',
			{kind: 'lost', isHopeless: true},
		],
		['sacct', 'OUT_OF_MEMORY|0:125\n', {kind: 'lost', isHopeless: true}],
		['sacct', 'PREEMPTED|0:0\n', {kind: 'lost', isHopeless: false}],
		['sacct', 'NODE_FAIL|0:0\n', {kind: 'lost', isHopeless: false}],
		['sacct', 'TIMEOUT|0:0\n', {kind: 'hours'}],
		[
			'sacct',
			'CANCELLED by 1000|0:0\n',
			{kind: 'cancelled', reason: 'SLURM job 7 is CANCELLED by user 1000'},
		],
		['sacct', 'COMPLETED|0:0\n', {kind: 'killed'}],
	])('ended as %s says: %s', async (program, text, exit) => {
		left({});
		prints(program, text);
		const asked = trainer();
		expect(await asked.isRunning(run)).toBe(false);
		await asked.exit(run);
		await expect.poll(() => asked.exit(run)).toMatchObject(exit);
	});

	test.each([
		[
			'its TERM came near the end of its hours and it ended well',
			{code: 0, term: minutes * 60 - 150},
			{kind: 'hours'},
		],
		['its TERM came early', {code: 143, term: 60}, {kind: 'cancelled'}],
		['it ended by itself', {code: 3}, {kind: 'code', code: 3}],
		['it left no code', {}, {kind: 'killed'}],
	])('and that no accounting knows is judged by what it left: %s', async (_, traces, exit) => {
		left(traces);
		const asked = trainer();
		expect(await asked.isRunning(run)).toBe(false);
		await asked.exit(run);
		await expect.poll(() => asked.exit(run)).toMatchObject(exit);
	});
});

test('a submission that nothing knows of cannot begin any more, and is then submitted anew', async () => {
	mkdirSync(folder.folder, {recursive: true});
	expect(await trainer().isRunning(run)).toBe(false);
	expect(readFileSync(path.join(marker, 'slurm-id'), 'utf8')).toBe('none\n');
	expect(await trainer().exit(run)).toEqual({kind: 'never'});
});

test('a submission whose answer was lost is found by its comment, and by its name in the accounting', async () => {
	mkdirSync(folder.folder, {recursive: true});
	prints('squeue', `9|PENDING|QOSMaxGRESPerUser|gpu|1:00:00|0:00||lakescope-${jobId}-1\n`);
	expect(await trainer().isRunning(run)).toBe(true);
	expect(await trainer().queue.standing(run)).toMatchObject({
		state: 'PENDING',
		reason: 'QOSMaxGRESPerUser',
		id: '9',
	});
	prints('squeue', '');
	prints('sacct', '9\n');
	expect(await trainer().isRunning(run)).toBe(true);
	expect(readFileSync(path.join(folder.folder, 'slurm-1'), 'utf8')).toBe('9\n');
});

test('while the controller does not answer a job goes on, and is told since when', async () => {
	left({code: 143, term: 60});
	prints('squeue', undefined);
	const asked = trainer();
	expect(await asked.isRunning(run)).toBe(true);
	expect(await asked.queue.standing(run)).toMatchObject({
		state: 'UNKNOWN',
		words: expect.stringMatching(/since .*goes on/),
	});
});

test('a node whose clock is wrong is named, and the time left is SLURM’s own', async () => {
	left({ran: -600});
	prints('squeue', `7|RUNNING|None|gpu|1-02:00:00|1:40|node3|lakescope-${jobId}-1\n`);
	expect(await trainer().queue.standing(run)).toMatchObject({
		node: 'node3',
		timing: {ran: 100, left: 26 * 3600},
		words: expect.stringContaining('The clock of node3 is 12 min ahead of this machine’s'.replace('’', "'")),
	});
});

test('what squeue prints is read with a bar in a comment, and times in each of their forms', () => {
	expect(readRows('1|RUNNING|None|gpu|UNLIMITED|2:03|n[1-2]|a|b\n\n')).toEqual([
		{
			id: '1',
			state: 'RUNNING',
			reason: null,
			partition: 'gpu',
			left: null,
			ran: 123,
			node: 'n[1-2]',
			comment: 'a|b',
		},
	]);
	expect(['0:30', '1:02:03', '2-00:00:10', 'INVALID'].map(secondsOf)).toEqual([30, 3723, 172_810, null]);
});

test('SLURM’s commands see no variable of this program, and none that changes what they print', () => {
	const env = {
		LAKESCOPE_LAKE: 'a',
		CLICKHOUSE_PASSWORD: 'b',
		SQUEUE_FORMAT: 'c',
		SLURM_JOB_ID: '1',
		SLURM_CONF: 'd',
		HF_TOKEN: 'e',
	};
	expect(slurmEnvironment(env)).toEqual({SLURM_CONF: 'd', HF_TOKEN: 'e'});
});
