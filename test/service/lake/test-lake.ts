import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll} from 'vitest';
import {type ExploreRequest, type ExploreResponse, exploreRequest} from '../../../source/contract/explore.ts';
import {DuckDbLake} from '../../../source/service/lake/duckdb/duckdb-lake.ts';
import type {LakeEngine} from '../../../source/service/lake/engine.ts';
import type {ModelDataset} from './lake-model.ts';
import {Stager} from './staging.ts';

/** Opens the lake of a folder, or makes it. */
export type OpenLake = (folder: string) => Promise<LakeEngine>;

const openDuckDb: OpenLake = folder => DuckDbLake.open(folder);

export type TestLakes = ReturnType<typeof testLakes>;

/** A lake in a fresh folder, with what a test does to it. */
export class TestLake {
	readonly folder: string;
	readonly stager: Stager;
	lake: LakeEngine;
	readonly #open: OpenLake;

	constructor(folder: string, stager: Stager, lake: LakeEngine, open: OpenLake) {
		this.#open = open;
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
		this.lake = await this.#open(this.folder);
	}
}

/**
 * Gives the tests of a file lakes of their own, and removes them at its end.
 *
 * @param openLake the engine's way of opening one
 */
export function testLakes(openLake: OpenLake = openDuckDb) {
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
			const lake = new TestLake(folder, stager, await openLake(folder), openLake);
			opened.push(lake);
			await lake.publish(...datasets);
			return lake;
		},
	};
}
