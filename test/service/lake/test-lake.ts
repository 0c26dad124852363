import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll} from 'vitest';
import {type ExploreRequest, type ExploreResponse, exploreRequest} from '../../../source/contract/explore.ts';
import {Lake} from '../../../source/service/lake/lake.ts';
import type {ModelDataset} from './lake-model.ts';
import {Stager} from './staging.ts';

/** A lake in a fresh folder, with what a test does to it. */
export class TestLake {
	readonly folder: string;
	readonly stager: Stager;
	lake: Lake;

	constructor(folder: string, stager: Stager, lake: Lake) {
		this.folder = folder;
		this.stager = stager;
		this.lake = lake;
	}

	async publish(...datasets: readonly ModelDataset[]) {
		const published = [];
		for (const dataset of datasets) {
			published.push(await this.lake.publish(await this.stager.stage(this.folder, dataset)));
		}
		return published;
	}

	async explore(request: ExploreRequest = {}): Promise<ExploreResponse> {
		return await this.lake.explore(exploreRequest.parse(request));
	}

	async reopen(): Promise<void> {
		await this.lake.close();
		this.lake = await Lake.open(this.folder);
	}
}

/** Gives the tests of a file lakes of their own, and removes them at its end. */
export function testLakes() {
	let root = '';
	let stager: Stager;
	const opened: TestLake[] = [];
	beforeAll(async () => {
		root = await mkdtemp(path.join(tmpdir(), 'lakescope-lake-'));
		stager = await Stager.create();
	});
	afterAll(async () => {
		for (const {lake} of opened) await lake.close().catch(() => undefined);
		stager.close();
		await rm(root, {recursive: true, force: true});
	});
	return {
		/** A folder that no lake has been opened in yet. */
		freshFolder: async () => await mkdtemp(path.join(root, 'lake-')),
		async open(...datasets: readonly ModelDataset[]): Promise<TestLake> {
			const folder = await mkdtemp(path.join(root, 'lake-'));
			const lake = new TestLake(folder, stager, await Lake.open(folder));
			opened.push(lake);
			await lake.publish(...datasets);
			return lake;
		},
	};
}
