import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import {exactJson} from '../../contract/json-text.ts';
import type {DatasetItem, ModelItem, ProjectItem} from '../../contract/listing.ts';
import type {LocalKnowledge} from '../queries/local-document.ts';
import type {UserState} from '../state/user-state.ts';
import {DatasetDamageWatch} from './dataset-damage.ts';
import {datasetListing} from './dataset-listing.ts';
import {DatasetOriginWatch} from './dataset-origin.ts';
import {openReader} from './list-reader.ts';
import {type Listing, ListingFeed} from './listing-feed.ts';
import {OpenedDatasetWatch} from './opened-dataset.ts';
import {projectId, projectName} from './projects.ts';

type CatalogOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly state: StoreApi<UserState>;
	readonly local: StoreApi<LocalKnowledge>;
};

/** The account's artifacts by name: datasets, models, projects. */
export class Catalog {
	readonly datasets: ListingFeed<DatasetItem>;
	readonly models: ListingFeed<ModelItem>;
	readonly projects: ListingFeed<ProjectItem>;
	/** The files of the opened dataset. */
	readonly files: OpenedDatasetWatch;
	/** The datasets that the opened one was made of. */
	readonly origin: DatasetOriginWatch;
	/** The damages of the opened dataset. */
	readonly damages: DatasetDamageWatch;

	constructor({queries, client, state, local}: CatalogOptions) {
		this.datasets = new ListingFeed(datasetListing(client), state, queries);
		this.models = new ListingFeed(modelListing(client, local), state, queries);
		this.projects = new ListingFeed(projectListing(client, local), state, queries);
		this.files = new OpenedDatasetWatch(queries, client);
		this.origin = new DatasetOriginWatch(client);
		this.damages = new DatasetDamageWatch(client);
	}

	/** Looks now, in the list that shows, whether it is another one. */
	refetchFirst(): void {
		for (const feed of this.#feeds) feed.refetchFirst();
	}

	/** Tries again at once what failed and waits. */
	wake(): void {
		for (const feed of this.#feeds) feed.wake();
	}

	/** One of the lists shows. */
	get isShown(): boolean {
		return this.#feeds.some(({isShown}) => isShown);
	}

	/** Polls rarely while events announce changes. */
	setLive(isLive: boolean): void {
		for (const feed of this.#feeds) feed.setLive(isLive);
	}

	stop(): void {
		for (const feed of this.#feeds) feed.stop();
		this.files.open(undefined);
		this.origin.open(undefined);
		this.damages.open(undefined, undefined);
	}

	get #feeds() {
		return [this.datasets, this.models, this.projects];
	}
}

/** The listing of models (4.9): the document shows no search, and neither the values of `sort` nor a cursor. */
function modelListing(
	client: Pick<Client, 'listModels'>,
	local: StoreApi<LocalKnowledge>,
): Listing<ModelItem> {
	const reader = openReader<ModelItem>((query, options) => client.listModels(query, options), {
		local,
		takesLimit: true,
	});
	return {
		list: 'models',
		nameOf: ({artifact_id, path}) => ({key: artifact_id, label: path}),
		searches: false,
		...reader,
		find: (id, signal) => reader.find(({artifact_id}) => artifact_id === id, signal),
	};
}

/** The listing of projects (4.11): the document shows neither its parameters nor the fields of an item. */
function projectListing(
	client: Pick<Client, 'listProjects'>,
	local: StoreApi<LocalKnowledge>,
): Listing<ProjectItem> {
	const reader = openReader<ProjectItem>((query, options) => client.listProjects(query, options), {
		local,
		takesLimit: false,
	});
	return {
		list: 'projects',
		// One without an id that can be read is still told from the others.
		nameOf: item => ({
			key: projectId(item) ?? exactJson(item),
			label: projectName(item) ?? projectId(item) ?? '',
		}),
		searches: false,
		...reader,
		find: (id, signal) => reader.find(item => projectId(item) === id, signal),
	};
}
