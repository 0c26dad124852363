import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {takeLake} from '../../../source/service/daemon/lake-lock.ts';

let lake: string;
beforeEach(() => {
	lake = mkdtempSync(path.join(tmpdir(), 'lakescope-lock-'));
});
afterEach(() => rmSync(lake, {recursive: true}));

const atOnce = () => true;

function holder() {
	return fork(path.join(import.meta.dirname, '../support/lock-holder.ts'), [lake], {execArgv: []});
}

test('a lake that another process holds is not taken, and is free when that is killed', async () => {
	const other = holder();
	try {
		await once(other, 'message');
		expect(await takeLake(lake, atOnce)).toBeUndefined();
		const waiting = takeLake(lake, () => false);
		other.kill('SIGKILL');
		const lock = await waiting;
		expect(lock).toBeDefined();
		lock?.release();
	} finally {
		other.kill('SIGKILL');
	}
});

test('of processes that come at once one holds it at a time', async () => {
	const others = Array.from({length: 4}, holder);
	try {
		await Promise.race(others.map(other => once(other, 'message')));
		expect(await takeLake(lake, atOnce)).toBeUndefined();
	} finally {
		for (const other of others) other.kill('SIGKILL');
	}
});

test('a released lake can be taken again', async () => {
	const first = await takeLake(lake, atOnce);
	first?.release();
	const second = await takeLake(lake, atOnce);
	expect(second).toBeDefined();
	second?.release();
});
