import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {UploadDialog} from '../../../source/panes/uploads/upload-dialog.tsx';
import type {UploadCheck, Uploader} from '../../../source/store/uploads/uploader.ts';
import {smallDataset} from '../../service/support/small-dataset.ts';
import {dialogOf, widths} from '../../support/dialog.tsx';
import {soundCheck} from '../../support/upload-check.ts';

/** A folder with a dataset `cups` and an empty folder `other`, and an uploader whose checks end as `found` says. */
async function dialog(found: Partial<UploadCheck>, {width = 80, moves = false} = {}) {
	const folder = mkdtempSync(path.join(tmpdir(), 'lake-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	await smallDataset(path.join(folder, 'cups'));
	mkdirSync(path.join(folder, 'other'));
	const sent: string[] = [];
	let checked = Promise.withResolvers<void>();
	const uploader: Uploader = {
		begin: `${folder}/`,
		ownLake: undefined,
		async check(at, notify, signal) {
			// Its own: that an earlier check is over may be told when `again` has begun the next.
			const {promise, reject} = checked;
			notify({step: 'checking', share: 0.5, amount: '2 of 4 files'});
			signal.addEventListener('abort', () => reject(signal.reason));
			await promise;
			return {...soundCheck, folder: at, ...found};
		},
		async send({folder: at}) {
			sent.push(at);
			return 'cups is in the lake: 2 episodes.';
		},
	};
	const shown = await dialogOf('upload', UploadDialog, {width, moves, uploader});
	return {
		...shown,
		folder,
		sent,
		/** Lets the check fail. */
		fail: (reason: string) => checked.reject(new Error(reason)),
		/** Lets the check end. */
		finish: () => checked.resolve(),
		/** The next check takes as long as the test says, too. */
		again: () => {
			checked = Promise.withResolvers<void>();
		},
	};
}

type Pane = Awaited<ReturnType<typeof dialog>>['pane'];

/** Opens the folder `cups`, which the pointer is at. */
async function openCups(pane: Pane): Promise<void> {
	await pane.until(/▸.*cups/);
	pane.press('enter');
}

/** Has the folder that is open checked, which `dialog` keeps running. */
async function beginCheck(pane: Pane): Promise<void> {
	await pane.until(/A dataset: LeRobot/);
	pane.press('enter');
	await pane.until('checking 2 of');
}

/** Has a check fail once it runs. */
async function failCheck({
	pane,
	fail,
}: Pick<Awaited<ReturnType<typeof dialog>>, 'pane' | 'fail'>): Promise<void> {
	await beginCheck(pane);
	fail(failure);
	await pane.until(failure);
}

const failure = 'The service answered 500.';

test.each(widths)('%i columns: a folder is completed, checked and uploaded', async width => {
	const {pane, closed, finish, sent, folder} = await dialog({}, {width});
	await pane.until(/cups[\s\S]*other/);
	pane.type('cu');
	pane.press('tab');
	await beginCheck(pane);
	finish();
	await pane.until(/Will ingest 2 episodes[\s\S]*enter upload +n other folder/);
	pane.press('enter');
	await closed();
	await expect.poll(() => sent).toEqual([path.join(folder, 'cups')]);
});

test('enter opens the folder at the pointer, and says where there is no dataset', async () => {
	const {pane, folder} = await dialog({});
	await pane.until(/▸.*cups[\s\S]*other/);
	pane.press('down');
	await pane.until(/▸.*other/);
	pane.press('enter');
	await pane.until('No dataset and no subfolder');
	expect(pane.rows().join('\n')).toContain(`${folder}/other`.slice(-20));
	pane.press('enter');
	await pane.until('No dataset there: type another folder.');
	pane.press('tab');
	await pane.until('There is no folder to complete this to.');
	pane.press('backspace');
	await expect.poll(() => pane.rows().join('\n')).not.toContain('There is no folder');
});

test('a check is stopped by esc, and the folder is still there', async () => {
	const {pane} = await dialog({});
	await openCups(pane);
	await beginCheck(pane);
	pane.press('esc');
	await pane.until(/A dataset: LeRobot/);
});

test('a check with warnings is not uploaded by enter, which says so', async () => {
	const {explorer, pane, notice, finish, sent, closed} = await dialog({
		losses: ['Depth streams stay behind.'],
	});
	await openCups(pane);
	await beginCheck(pane);
	finish();
	await pane.until(/Depth streams stay behind\.[\s\S]*y upload anyway/);
	pane.press('enter');
	await expect.poll(notice).toBe('The check has warnings.');
	expect(explorer.state.getState().overlay).toBe('upload');
	pane.press('y');
	await closed();
	await expect.poll(() => sent.length).toBe(1);
});

test('a folder that cannot be uploaded says why, and y repeats it', async () => {
	const {pane, notice, finish} = await dialog({refusal: 'It has no episodes.'});
	await openCups(pane);
	await pane.until(/A dataset: LeRobot/);
	pane.press('enter');
	finish();
	await pane.until('It has no episodes.');
	pane.press('y');
	await expect.poll(notice).toBe('Nothing was uploaded: It has no episodes.');
	pane.press('enter');
	await pane.until(/A dataset: LeRobot/);
});

test('a check that the service failed says so, until the folder changes or the next try, which succeeds', async () => {
	const shown = await dialog({});
	const {pane, finish, again, sent, closed} = shown;
	await openCups(pane);
	await failCheck(shown);
	again();
	pane.type('x');
	await expect.poll(() => pane.rows().join('\n')).not.toContain(failure);
	await pane.until('No folder');
	pane.press('backspace');
	await failCheck(shown);
	again();
	pane.press('enter');
	await pane.until('checking 2 of');
	expect(pane.rows().join('\n')).not.toContain(failure);
	finish();
	await pane.until(/Will ingest 2 episodes/);
	expect(pane.rows().join('\n')).not.toContain(failure);
	pane.press('enter');
	await closed();
	await expect.poll(() => sent.length).toBe(1);
});

test('a spinner turns beside the check while it runs', async () => {
	const {pane, finish} = await dialog({}, {moves: true});
	await openCups(pane);
	await pane.until(/A dataset: LeRobot/);
	pane.press('enter');
	const turning = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏].*checking 2 of 4 files/;
	const seen = new Set<string>();
	await expect
		.poll(() => {
			const row = pane.rows().find(line => turning.test(line));
			if (row !== undefined) seen.add(row);
			return seen.size;
		})
		.toBeGreaterThan(1);
	finish();
	const rows = await pane.until(/Will ingest 2 episodes/);
	expect(rows.join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
});
