import {expect, test} from 'vitest';
import {
	dismissal,
	dismissOutcome,
	entryOfOperation,
	retryRefusal,
	seenThrough,
	type UploadEntry,
} from '../../../source/store/uploads/upload-entry.ts';

const repo = '00000000-0000-4000-8000-000000000008';

function entry(status: UploadEntry['status'], change: Partial<UploadEntry> = {}): UploadEntry {
	const operationId = '00000000-0000-4000-8000-000000000001';
	const of = {operationId, name: 'cups', repoId: repo, since: 1_700_000_000_900, status, trouble: undefined};
	return {...entryOfOperation(of), ...change};
}

test('an unknown phase is an entry like any other, its step detail read', () => {
	const read = entry({phase: 'reticulating', done: false, progress_json: '{"episodesDone":3,"total":9}'});
	expect(read).toMatchObject({phase: 'reticulating', progress: {done: 3, total: 9, unit: 'episodes'}});
});

test.each([
	['preparing', false],
	['publishing', false],
	['queued', false],
	['finalized', true],
])('what is %s cannot be dismissed, and says why', (phase, done) => {
	const may = dismissal(entry({phase, done}));
	expect(may).toMatchObject({ok: false, reason: expect.stringContaining('cups')});
});

test('what failed can be dismissed, and a quiet staging entry too; a busy one cannot', () => {
	expect(dismissal(entry({phase: 'failed', done: true}))).toEqual({ok: true, repoId: repo});
	expect(dismissal(entry(undefined, {phase: 'staging', quiet: true}))).toEqual({ok: true, repoId: repo});
	expect(dismissal(entry(undefined, {phase: 'staging'}))).toMatchObject({ok: false});
});

test('without its repo a failure cannot be dismissed', () => {
	const may = dismissal(entry({phase: 'failed', done: true}, {repoId: undefined}));
	expect(may).toMatchObject({ok: false, reason: expect.stringContaining('repo')});
});

test('what was seen of a repo is its newest entry on the screen, in whole seconds, not that of another repo', () => {
	const entries = [
		entry({phase: 'failed', done: true}),
		entry({phase: 'failed', done: true}, {updatedAt: 1_600_000_000_000}),
		entry({phase: 'failed', done: true}, {updatedAt: 1_900_000_000_000, repoId: 'other'}),
	];
	expect(seenThrough(entries, repo)).toBe(1_700_000_000);
	expect(seenThrough(entries, 'nobody')).toBe(0);
});

test.each([
	[{phase: 'preparing'}, true],
	[{phase: 'failed'}, false],
	[{phase: 'staging'}, false],
	[{phase: 'reticulating'}, true],
	[{phase: 'finalized'}, true],
	[{dismissed: false, phase: 'failed'}, true],
	[{dismissed: true, phase: 'queued'}, false],
	[null, false],
	['ok', false],
])('the answer %j says whether the entry stays (%s)', (answer, kept) => {
	expect(dismissOutcome(answer).kept).toBe(kept);
});

test('ended or stalled uploads of a known folder can be ingested again; for others the reason is given', () => {
	const failed = entry({phase: 'failed', done: true});
	expect(retryRefusal({...failed, folder: '/home/somebody/cups'})).toBeUndefined();
	expect(retryRefusal(failed)).toMatch(/which folder cups came from/);
	expect(retryRefusal(entry({phase: 'preparing', done: false}, {folder: '/c'}))).toMatch(
		/^cups is preparing/,
	);
	expect(retryRefusal(entry(undefined))).toMatch(/^cups is not read yet/);
});
