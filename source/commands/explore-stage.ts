import {hostname} from 'node:os';
import path from 'node:path';
import type {StoreApi} from 'zustand/vanilla';
import {type Client, createClient} from '../client/client.ts';
import {findDatasets, lerobotHome} from '../files/datasets-on-disk.ts';
import {places, shortPath} from '../files/places.ts';
import {Explorer} from '../store/explorer.ts';
import type {ExplorerState} from '../store/explorer-state.ts';
import {preparations} from '../store/preparation.ts';
import {createQueryClient} from '../store/query-client.ts';
import {createScene, type Offer, type Scene} from '../store/scene.ts';
import {overlaid} from '../store/transitions.ts';
import {type ChosenService, joinLake} from './chosen-service.ts';

export type StageOptions = {
	readonly service: ChosenService;
	/** Chooses and joins a service again after this one was lost. */
	readonly chooseAgain: () => Promise<ChosenService>;
	readonly state: ExplorerState;
	readonly readOnly: boolean;
};

/** Which service the explorer is on, and what makes it go to another: one that was lost, a lake that was empty. */
export class Stage {
	readonly scene: StoreApi<Scene>;
	readonly #options: StageOptions;
	#service: ChosenService;
	#client: Client;
	#isClosed = false;

	/** @throws RequestError when the address or the key cannot be used. */
	constructor(options: StageOptions) {
		this.#options = options;
		this.#service = options.service;
		this.#client = createClient(options.service.clientOptions);
		this.scene = createScene(this.#sceneOf(options.state));
		this.#watch();
	}

	get explorer(): Explorer {
		return this.scene.getState().explorer;
	}

	/** Has the sample made where it is what is shown, and looks for datasets where the lake holds nothing. */
	async begin(): Promise<void> {
		const {explorer} = this;
		try {
			if (this.#service.kind === 'sample') await this.#client.startSample();
			if (!this.#options.readOnly) await this.#makeOffer();
		} catch (error) {
			if (explorer === this.explorer && !this.#isClosed) explorer.notify('error', messageOf(error));
		}
	}

	/**
	 * Lets everything go.
	 *
	 * @returns what goes on without the explorer, in words.
	 */
	async close(): Promise<string | undefined> {
		this.#isClosed = true;
		const going = preparations(this.explorer.local.known.getState()).map(({subject}) => subject);
		this.explorer.stop();
		this.#service.leave();
		await this.#client.close();
		return going.length === 0 ? undefined : `Goes on without the explorer: ${going.join(', ')}.`;
	}

	#sceneOf(state: ExplorerState): Scene {
		const explorer = new Explorer({client: this.#client, queries: createQueryClient(), state});
		return {explorer, lakeName: lakeName(this.#service, this.#client), offer: undefined};
	}

	/** Shows another service, with what the user was at. */
	async #moveTo(service: ChosenService, state: ExplorerState): Promise<void> {
		const before = {explorer: this.explorer, client: this.#client, service: this.#service};
		this.#service = service;
		this.#client = createClient(service.clientOptions);
		this.scene.setState(this.#sceneOf(state), true);
		this.#watch();
		before.explorer.stop();
		before.service.leave();
		await before.client.close();
	}

	/** An embedded service that has gone is started again, once for every time it is lost. */
	#watch(): void {
		const service = this.#service;
		void service.lost.then(async () => {
			if (this.#isClosed || service !== this.#service) return;
			this.explorer.notify('warning', 'The embedded service has gone; starting it again.');
			try {
				const next = await this.#options.chooseAgain();
				if (this.#isClosed) return next.leave();
				await this.#moveTo(next, this.explorer.state.getState());
			} catch (error) {
				this.explorer.notify('error', messageOf(error));
			}
		});
	}

	async #makeOffer(): Promise<void> {
		const lake = await this.#emptyLake();
		if (lake === undefined) return;
		const home = lerobotHome();
		const folders = await findDatasets(home);
		if (folders.length === 0 || this.#isClosed) return;
		const offer: Offer = {folders, place: shortPath(home), take: chosen => this.#takeIn(lake, chosen)};
		this.scene.setState({offer});
		this.explorer.update(overlaid('offer'));
	}

	/** The user's own lake, if it holds nothing and nothing is on its way into it. */
	async #emptyLake(): Promise<string | undefined> {
		const {kind, emptyLake, lakeFolder} = this.#service;
		if (kind === 'sample') return emptyLake;
		const document = await this.#client.localDocument();
		if (document === undefined || document.lake.episodes > 0) return undefined;
		const {data} = await this.#client.listIngests();
		return data.items.every(({status}) => status.done) ? lakeFolder : undefined;
	}

	async #takeIn(lake: string, folders: readonly string[]): Promise<void> {
		const shown = this.explorer;
		try {
			if (this.#service.lakeFolder !== lake) {
				await this.#moveTo(await joinLake(lake), {...shown.state.getState(), overlay: undefined});
			}
			this.scene.setState({offer: undefined});
			for (const folder of folders) await this.explorer.ingest(folder);
		} catch (error) {
			this.explorer.notify('error', messageOf(error));
		}
	}
}

function lakeName({kind, lakeFolder}: ChosenService, client: Client): string {
	if (kind === 'hosted' || lakeFolder === undefined) return client.address.shown;
	if (kind === 'sample' || lakeFolder === places().lake) return hostname();
	return path.basename(lakeFolder);
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
