import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {ConcurrencyLimit} from '../../source/concurrency.ts';
import {sampleDatasets} from '../../source/sample/datasets.ts';
import {pictureSize} from '../../source/sample/robots.ts';
import {Activity} from '../../source/service/host/activity.ts';
import {type SampleOptions, SampleService} from '../../source/service/sample/sample-service.ts';
import {childBounds} from '../../source/service/workers/bounded-child.ts';

let lakeFolder: string;
beforeEach(() => {
	lakeFolder = mkdtempSync(path.join(tmpdir(), 'lakescope-sample-service-'));
});
afterEach(() => rmSync(lakeFolder, {recursive: true}));

/** A dataset of the sample as the lake describes it, with cameras of this size. */
const detailsOf = (
	name: string,
	[height, width]: readonly number[] = [pictureSize.height, pictureSize.width],
) => {
	const cameras = sampleDatasets.find(dataset => dataset.name === name)?.program.robot.cameras ?? {};
	return {
		features: Object.fromEntries(Object.keys(cameras).map(camera => [camera, {shape: [height, width, 3]}])),
	};
};

test('a dataset of an earlier version, whose cameras had no video, is written anew and taken in again', async () => {
	const older = 'g1-open-drawer-1';
	const folder = path.join(lakeFolder, 'datasets', older);
	mkdirSync(folder, {recursive: true});
	writeFileSync(path.join(folder, 'README.md'), 'Sample data, simulated by lakescope (seed “older”).');
	const submitted: unknown[] = [];
	let size = [480, 640];
	const sampleService = new SampleService({
		lakeFolder,
		lake: {
			datasets: async () => ({items: sampleDatasets.map(({name}) => ({path: `local/${name}`}))}),
			details: async (name: string) => (name === older ? detailsOf(name, size) : detailsOf(name)),
		},
		supervisor: {
			submit: async (source: unknown) => {
				submitted.push(source);
				return {kind: 'accepted', operation: {operationId: 'one'}};
			},
			ended: async () => {
				size = [pictureSize.height, pictureSize.width];
			},
		},
		store: {get: () => ({phase: 'finalized'})},
		slots: new ConcurrencyLimit(1),
		bounds: childBounds(),
		activity: new Activity({graceMs: Number.POSITIVE_INFINITY, onIdle: () => undefined}),
		log: () => undefined,
	} as unknown as SampleOptions);
	const count = sampleDatasets.length;
	expect(await sampleService.status()).toMatchObject({phase: 'absent', datasets_done: count - 1});
	expect((await sampleService.start()).phase).toBe('writing');
	await expect.poll(async () => (await sampleService.status()).phase, {timeout: 60_000}).toBe('ready');
	expect(submitted).toEqual([{name: older, folder}]);
	expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toContain('drawn from the simulated joints');
	await sampleService.stop();
}, 90_000);

test('a dataset that cannot be accepted, while others are still written, fails the sample with its reason', async () => {
	const [first, second, ...others] = sampleDatasets.toSorted((a, b) => a.episodes - b.episodes);
	const items = others.map(({name}) => ({path: `local/${name}`}));
	const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC'});
	const sampleService = new SampleService({
		lakeFolder,
		lake: {datasets: async () => ({items}), details: async (name: string) => detailsOf(name)},
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
