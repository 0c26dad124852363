import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import type {LakeEpisode} from '../contract/episode.ts';
import type {Filter} from '../query/filter.ts';
import {toExploreRequest} from '../query/request.ts';
import {DatasetNames} from './dataset-names.ts';
import {EpisodeWindow} from './episode-window.ts';
import type {ExplorerState} from './explorer-state.ts';
import {settled} from './list-position.ts';
import {LocalWatch} from './local-watch.ts';
import {type Notice, noticeMs} from './notices.ts';
import {busyPaceMs, calmPaceMs} from './polling.ts';
import type {Question} from './result.ts';
import {filtered, noticed, noticeGone} from './transitions.ts';

export type ExplorerOptions = {
	readonly client: Client;
	/** Cache of the service's answers; the explorer clears it when it stops. */
	readonly queries: QueryClient;
	/** What to begin with. */
	readonly state: ExplorerState;
};

/** What the program knows and what its user is at, and everything that changes either. Knows nothing of React. */
export class Explorer {
	readonly state: StoreApi<ExplorerState>;
	readonly window: EpisodeWindow;
	readonly local: LocalWatch;
	readonly client: Client;
	readonly #queries: QueryClient;
	readonly #names: DatasetNames;
	readonly #timers = new Set<NodeJS.Timeout>();
	readonly #stopped = new AbortController();
	#looking: AbortController | undefined;
	#lastNotice = 0;

	constructor({client, queries, state}: ExplorerOptions) {
		this.client = client;
		this.#queries = queries;
		this.#names = new DatasetNames(client);
		const known = toExploreRequest(state.filter, this.#names.idOf);
		this.state = createStore(() => state);
		this.window = new EpisodeWindow({
			client: queries,
			question: known.ok ? known.request : {},
			paceMs: calmPaceMs,
			read: async (request, options) => {
				const page = await client.explore(request, options);
				this.#names.learn(page.data.episodes);
				return page;
			},
		});
		if (!known.ok) this.filterBy(state.filter);
		this.local = new LocalWatch({
			queries,
			client,
			changed: ({lake, moving}) => {
				this.window.setPace(moving ? busyPaceMs : calmPaceMs);
				if (lake) this.window.refresh();
			},
		});
		this.local.start();
	}

	/** Changes the explorer's own state. */
	update(transition: (state: ExplorerState) => ExplorerState): void {
		this.state.setState(transition, true);
	}

	/** Filters the lake; a dataset's name that was not seen yet is looked for first. */
	filterBy(filter: Filter): void {
		this.#looking?.abort();
		const known = toExploreRequest(filter, this.#names.idOf);
		if (known.ok) this.#ask(filter, known.request);
		else void this.#look(filter, known.unknownDatasets);
	}

	/** The selected episode; undefined while it is not read. */
	selectedEpisode(): LakeEpisode | undefined {
		const {rowCount, row} = this.window.result.getState();
		const {selected} = settled(this.state.getState().position, {count: rowCount, height: 1});
		const found = row(selected);
		return typeof found === 'object' ? found : undefined;
	}

	/** Reads what is on the screen again. */
	refresh(): void {
		this.window.refresh();
		this.local.lookAgain();
	}

	/** Says a sentence to the user, for as long as it takes to read. */
	notify(kind: Notice['kind'], text: string): void {
		const id = ++this.#lastNotice;
		this.update(noticed({id, kind, text}));
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			this.update(noticeGone(id));
		}, noticeMs[kind]);
		this.#timers.add(timer);
	}

	/** Takes a dataset folder of the service's machine into the lake. */
	async ingest(folder: string): Promise<void> {
		try {
			const {data} = await this.client.ingest({folder}, {signal: this.#stopped.signal});
			this.notify('info', `Taking in ${data.dataset_name}.`);
			this.local.lookAgain();
		} catch (error) {
			if (!this.#stopped.signal.aborted) this.notify('error', messageOf(error));
		}
	}

	/** Ends what is under way; timers of the cache would keep the process alive. */
	stop(): void {
		this.#stopped.abort();
		this.#looking?.abort();
		this.local.stop();
		this.window.stop();
		for (const timer of this.#timers) clearTimeout(timer);
		this.#queries.clear();
	}

	#ask(filter: Filter, question: Question): void {
		this.update(filtered(filter));
		this.window.ask(question);
	}

	async #look(filter: Filter, names: readonly string[]): Promise<void> {
		const looking = new AbortController();
		this.#looking = looking;
		try {
			const unknown = await this.#names.find(names, looking.signal);
			if (looking.signal.aborted) return;
			const known = toExploreRequest(filter, this.#names.idOf);
			if (known.ok) this.#ask(filter, known.request);
			else this.notify('error', `No dataset of this lake is called ${unknown.join(' or ')}.`);
		} catch (error) {
			if (!looking.signal.aborted) this.notify('error', messageOf(error));
		}
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
