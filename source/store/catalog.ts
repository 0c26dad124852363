import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import type {DatasetItem, ModelItem, ProjectItem} from '../contract/listing.ts';
import {datasetListing} from './datasets/dataset-listing.ts';
import {DatasetOriginWatch} from './datasets/dataset-origin.ts';
import {OpenedDatasetWatch} from './datasets/opened-dataset.ts';
import type {ExplorerState} from './explorer-state.ts';
import {ListingFeed} from './listing/listing-feed.ts';
import type {LocalKnowledge} from './local-watch.ts';
import {modelListing} from './models/model-listing.ts';
import {projectListing} from './projects/project-listing.ts';

type CatalogOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly state: StoreApi<ExplorerState>;
	readonly local: StoreApi<LocalKnowledge>;
};

/** What the account has by name: datasets, models, projects. */
export class Catalog {
	readonly datasets: ListingFeed<DatasetItem>;
	readonly models: ListingFeed<ModelItem>;
	readonly projects: ListingFeed<ProjectItem>;
	/** The files of the opened dataset. */
	readonly files: OpenedDatasetWatch;
	/** What the opened dataset was made of. */
	readonly origin: DatasetOriginWatch;

	constructor({queries, client, state, local}: CatalogOptions) {
		this.datasets = new ListingFeed(datasetListing(client), state, queries);
		this.models = new ListingFeed(modelListing(client, local), state, queries);
		this.projects = new ListingFeed(projectListing(client, local), state, queries);
		this.files = new OpenedDatasetWatch(queries, client);
		this.origin = new DatasetOriginWatch(client);
	}

	/** Looks now, in the list that shows, whether it is another one. */
	lookNow(): void {
		for (const feed of this.#feeds) feed.lookNow();
	}

	/** Tries again at once what failed and waits. */
	wake(): void {
		for (const feed of this.#feeds) feed.wake();
	}

	/** One of the lists shows. */
	get isShown(): boolean {
		return this.#feeds.some(({isShown}) => isShown);
	}

	/** Whether events tell when to look. */
	setLive(isLive: boolean): void {
		for (const feed of this.#feeds) feed.setLive(isLive);
	}

	stop(): void {
		for (const feed of this.#feeds) feed.stop();
		this.files.open(undefined);
		this.origin.open(undefined);
	}

	get #feeds() {
		return [this.datasets, this.models, this.projects];
	}
}
