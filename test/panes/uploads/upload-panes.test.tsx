import {expect, test} from 'vitest';
import {UploadDetail} from '../../../source/panes/uploads/upload-detail.tsx';
import {UploadsPane} from '../../../source/panes/uploads/uploads-pane.tsx';
import {listOpenedAt, viewed} from '../../../source/store/state/view-transitions.ts';
import {explorerOf, until} from '../../store/support.ts';
import {drawn, sizes} from '../../support/drawn.tsx';
import {hosted} from '../../support/hosted.ts';
import {localDocument, recordLocal} from '../../support/recorded-local.ts';

const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

/** An entry of the feed as an embedded service gave it. */
const record = (number: number, name: string, more: object) => ({
	kind: 'upload',
	upload_id: idOf(number),
	repo_id: idOf(number + 3),
	dataset_name: name,
	folder: `/home/robot/${name}`,
	phase: 'staging',
	done: false,
	quiet: false,
	message: null,
	operation_id: null,
	status: null,
	bytes_stored: null,
	bytes_total: null,
	files_total: 12,
	suppressed: false,
	created_unix: 1_742_300_000,
	updated_unix: 1_742_300_000 - number,
	...more,
});

const operation = idOf(9);

/** One of the stand-in's lake. */
const dataset = 'fold-lab1.00';

const feed = {
	items: [
		record(1, 'towels', {bytes_stored: 50 * 2 ** 20, bytes_total: 100 * 2 ** 20}),
		record(2, dataset, {
			kind: 'ingest',
			upload_id: null,
			operation_id: operation,
			phase: 'finalized',
			done: true,
			status: {phase: 'finalized', done: true, generation: 2, episode_count: 50, total_frames: 15_000},
		}),
		record(3, 'bowls', {
			phase: 'failed',
			done: true,
			message: 'three videos are missing: front, wrist and side',
		}),
	],
};

const ingest = {
	operation_id: operation,
	repo_id: idOf(5),
	dataset_name: dataset,
	folder: `/home/robot/${dataset}`,
	status: {phase: 'finalized', done: true},
	problems: [{file: 'meta/episodes.parquet', episode_index: 7, message: 'the task is empty'}],
	problem_count: 1,
	created_at: '2025-03-18T09:00:00Z',
	updated_at: '2025-03-18T09:00:00Z',
};

async function explorerWithFeed(items: readonly unknown[] = feed.items) {
	const service = await hosted({episodes: 40});
	recordLocal(service, {
		'/local/v1': localDocument(['uploads', 'ingests']),
		'/local/v1/uploads': {items},
		'/local/v1/ingests': {items: items.length === 0 ? [] : [ingest]},
		'/local/v1/ingests/*': ingest,
	});
	const explorer = explorerOf(service);
	explorer.update(viewed('uploads'));
	await until(
		explorer.uploads.known,
		({entries, hasList}) => hasList === true && entries.length === items.length,
	);
	return {service, explorer};
}

async function list(look: {width: number; height: number}, items?: readonly unknown[]) {
	const {explorer, service} = await explorerWithFeed(items);
	const pane = drawn(<UploadsPane {...look} focused />, {explorer, ...look, focused: 'uploads'});
	return {explorer, service, pane};
}

async function detail(look: {width: number; height: number}, key: string) {
	const {explorer} = await explorerWithFeed();
	explorer.update(listOpenedAt('uploads', key));
	const pane = drawn(<UploadDetail {...look} focused beside={false} />, {
		explorer,
		...look,
		focused: 'uploads-detail',
	});
	return {explorer, pane};
}

test.each(sizes)(
	'$width×$height: each upload with its phase, how far it is and what came of it, the newest first',
	async size => {
		const {pane} = await list(size);
		const rows = await pane.until('1 of 3━');
		expect(rows[1]).toMatch(/^▸towels +\S staging .*50 MiB of 100 MiB/);
		expect(rows[2]).toMatch(/^ fold-lab1\.00 +✓ finalized +generation 2, 50 episodes/);
		expect(rows[3]).toMatch(/^ bowls +✗ failed +three videos are missing/);
		expect(rows.every(row => row.length <= size.width)).toBe(true);
	},
);

test('a service without uploads says how one is begun', async () => {
	const {pane} = await list({width: 80, height: 8}, []);
	const rows = await pane.until('No uploads.');
	expect(rows.join(' ').replace(/\s+/g, ' ')).toContain('lakescope upload DIR');
});

test.each(sizes)('$width×$height: a failed upload shows its reason whole', async size => {
	const {pane} = await detail(size, idOf(3));
	const rows = await pane.until(/phase +✗ failed/);
	expect(rows[0]).toContain('━ bowls ━');
	expect(rows.join('\n')).toMatch(/reason +three videos are missing: front, wrist and side/);
	expect(rows.join('\n')).toMatch(/folder +\/home\/robot\/bowls/);
	expect(rows.every(row => row.length <= size.width)).toBe(true);
});

test('an ingested dataset shows what came of it and its problems, and enter goes to its episodes', async () => {
	const {explorer, pane} = await detail({width: 80, height: 24}, operation);
	const text = (await pane.until(/the task is empty/)).join('\n');
	expect(text).toMatch(/generation +2/);
	expect(text).toMatch(/1 problem\n +episode 7 +meta\/episodes\.parquet: the task is empty/);
	expect(text).toMatch(/▸episodes +those of fold-lab1\.00/);
	pane.press('enter');
	await expect.poll(() => explorer.state.getState().view).toBe('explore');
	expect(explorer.state.getState().filter.datasets).toEqual([dataset]);
});
