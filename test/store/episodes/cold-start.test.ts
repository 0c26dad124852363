import {mkdtemp, readdir, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {keepFirstPage, recallFirstPage} from '../../../source/store/episodes/cold-start.ts';
import {EpisodeWindow} from '../../../source/store/episodes/episode-window.ts';
import {createQueryClient} from '../../../source/store/queries/query-client.ts';
import {hold} from '../../hosted-service/faults.ts';
import {hosted} from '../../support/hosted.ts';
import {clientOf, until} from '../support.ts';

const calm = 1_000_000;
const most = 18_446_744_073_709_551_615n;

async function cacheFolder(): Promise<string> {
	const folder = await mkdtemp(path.join(tmpdir(), 'lakescope-cold-start-'));
	vi.stubEnv('XDG_CACHE_HOME', folder);
	onTestFinished(async () => {
		vi.unstubAllEnvs();
		await rm(folder, {recursive: true, force: true});
	});
	return path.join(folder, 'lakescope');
}

function queriesOfTest() {
	const queries = createQueryClient();
	onTestFinished(() => queries.clear());
	return queries;
}

test('the next run shows what the last one read, as stale, until the service has answered', async () => {
	const folder = await cacheFolder();
	const service = await hosted({
		episodes: [{dataset_name: 'huge', episode_index: 0, frame_count: most, duration_seconds: 1}],
	});
	const read = clientOf(service).explore;
	const first = queriesOfTest();
	const before = new EpisodeWindow({client: first, read, question: {}, paceMs: calm});
	await until(before.result, ({rowCount}) => rowCount === 1);
	await keepFirstPage(first, 'a lake');
	before.stop();
	const [name = ''] = await readdir(folder);
	expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);

	const gate = hold();
	service.setFault('POST /v1/datasets/explore', gate.fault);
	const second = queriesOfTest();
	const after = new EpisodeWindow({client: second, read, question: {}, paceMs: calm});
	onTestFinished(() => after.stop());
	await recallFirstPage(second, 'a lake');
	const stale = await until(after.result, ({freshness}) => freshness.state === 'stale');
	expect(stale.row(0)).toMatchObject({dataset_name: 'huge', frame_count: most});
	expect(stale.freshness).toMatchObject({isFromLastSession: true, isReading: true});
	gate.release();
	await until(after.result, ({freshness}) => freshness.state === 'fresh');
});

test('another lake’s page is not shown, nor a file that cannot be read', async () => {
	const folder = await cacheFolder();
	const service = await hosted({episodes: 3});
	const queries = queriesOfTest();
	const window = new EpisodeWindow({
		client: queries,
		read: clientOf(service).explore,
		question: {},
		paceMs: calm,
	});
	await until(window.result, ({rowCount}) => rowCount === 3);
	await keepFirstPage(queries, 'a lake');
	window.stop();

	const other = queriesOfTest();
	await recallFirstPage(other, 'another lake');
	expect(other.getQueryCache().getAll()).toEqual([]);

	const [name = ''] = await readdir(folder);
	for (const content of ['', '{"lake": "a lake", "readAt": 1e15, "page": "{}"}', '{"lake"']) {
		await writeFile(path.join(folder, name), content);
		await recallFirstPage(other, 'a lake');
	}
	expect(other.getQueryCache().getAll()).toEqual([]);
});
