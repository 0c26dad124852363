import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ConcurrencyLimit} from '../../source/concurrency.ts';
import {sampleDatasets} from '../../source/sample/datasets.ts';
import {Activity} from '../../source/service/host/activity.ts';
import {type SampleOptions, SampleService} from '../../source/service/sample/sample-service.ts';
import {childBounds} from '../../source/service/workers/bounded-child.ts';

let lakeFolder: string;
beforeEach(() => {
	lakeFolder = mkdtempSync(path.join(tmpdir(), 'lakescope-sample-service-'));
});
afterEach(() => rmSync(lakeFolder, {recursive: true}));

test('a dataset that cannot be accepted, while others are still written, fails the sample with its reason', async () => {
	const [first, second, ...others] = sampleDatasets.toSorted((a, b) => a.episodes - b.episodes);
	const items = others.map(({name}) => ({path: `local/${name}`}));
	const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC'});
	const sampleService = new SampleService({
		lakeFolder,
		lake: {datasets: async () => ({items})},
		supervisor: {submit: () => Promise.reject(full)},
		store: {},
		slots: new ConcurrencyLimit(1),
		bounds: childBounds(),
		activity: new Activity({graceMs: Number.POSITIVE_INFINITY, onIdle: () => undefined}),
		log: () => undefined,
	} as unknown as SampleOptions);
	expect((await sampleService.start()).phase).toBe('writing');
	await expect.poll(async () => (await sampleService.status()).phase, {timeout: 60_000}).toBe('failed');
	const reasons = [first, second].map(dataset => `Cannot ingest ${dataset?.name}: the disk is full.`);
	expect(reasons).toContain((await sampleService.status()).message);
	await sampleService.stop();
}, 90_000);
