import {hostname} from 'node:os';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import {readAddress} from '../client/address.ts';
import {type Client, createClient} from '../client/client.ts';
import {NetworkError} from '../client/errors.ts';
import {findDatasets, lerobotHome} from '../files/datasets-on-disk.ts';
import {places, shortPath} from '../files/places.ts';
import {keepFirstPage, recallFirstPage} from '../store/episodes/cold-start.ts';
import {Explorer, type ExplorerOptions} from '../store/explorer.ts';
import {createExplorerSession, type ExplorerSession, type Offer} from '../store/explorer-session.ts';
import type {ServiceName} from '../store/export/shell-lines.ts';
import {ingestFolder} from '../store/ingest-folder.ts';
import {hasEnded} from '../store/jobs/job-entry.ts';
import {nextPollMs} from '../store/queries/polling.ts';
import {createQueryClient} from '../store/queries/query-client.ts';
import type {ExplorerState} from '../store/state/explorer-state.ts';
import {Remembered} from '../store/state/remembered.ts';
import {overlaid} from '../store/state/transitions.ts';
import {preparations} from '../store/state/work.ts';
import type {Uploader} from '../store/uploads/uploader.ts';
import {type ChosenService, joinLake} from './chosen-service.ts';

type SessionManagerOptions = {
	readonly service: ChosenService;
	/** Chooses and joins a service again after this one was lost. */
	readonly chooseAgain: () => Promise<ChosenService>;
	readonly state: ExplorerState;
	readonly readOnly: boolean;
	readonly uploader: Uploader;
	readonly profile: string | undefined;
};

/** A service that is explored: its client, and what is known of its lake. */
type Location = {
	readonly service: ChosenService;
	readonly client: Client;
	readonly queries: QueryClient;
	/** Which lake it is, from one run to the next. */
	readonly lake: string;
	readonly remembered: Remembered;
};

/**
 * @throws RequestError when the address or the key cannot be used.
 */
function locationOf(service: ChosenService, notify: (sentence: string) => void): Location {
	const client = createClient(service.clientOptions);
	const lake = lakeOf(service);
	return {service, client, queries: createQueryClient(), lake, remembered: new Remembered({lake, notify})};
}

function sceneOf(
	{service, client, queries, remembered}: Location,
	options: Pick<ExplorerOptions, 'state' | 'readOnly' | 'messages' | 'uploader'>,
	profile: string | undefined,
): ExplorerSession {
	const isOwn = service.kind !== 'hosted';
	const serviceName = nameOf(service);
	const explorer = new Explorer({client, queries, remembered, isOwn, serviceName, ...options});
	return {explorer, lakeName: lakeName(service, client, profile), offer: undefined};
}

/** A cache is not worth a longer wait at the end. */
const cacheWithinMs = 400;

/** Keeps what the next run shows first, and lets everything go. @returns what could not be kept, in a sentence */
async function leave(place: Location, explorer: Explorer): Promise<string | undefined> {
	const {service, client, queries, lake, remembered} = place;
	explorer.activityMonitor.looked();
	const lines = explorer.filterLine.history.kept();
	const problem = remembered.keep();
	const cached = [keepFirstPage(queries, lake), remembered.keepAnswers(queries)];
	explorer.stop();
	service.leave();
	const others = Promise.allSettled([...cached, client.close()]);
	await Promise.race([others, delay(cacheWithinMs, undefined, {ref: false})]);
	await lines;
	return problem;
}

/** Said where the sample is shown because there is nothing else. */
const standsIn = 'This is the sample: simulated arms. lakescope ingest DIR takes your own recordings in.';

/** A service that takes longer than this to give the first page is not waited for. */
const missedAfterMs = 150;

/** Between two tries to start a service again, at first: a full disk may have room again. */
const restartMs = 2000;

/** A service that lived for less died of something that its next start will meet as well. */
const steadyMs = 60_000;

/** Which service the explorer is on, and what makes it go to another: one that was lost, a lake that was empty. */
export class SessionManager {
	readonly explorerSession: StoreApi<ExplorerSession>;
	readonly #options: SessionManagerOptions;
	#place: Location;
	readonly #keys = new Set<string>();
	/** Services in a row that were gone soon after they were joined. */
	#deaths = 0;
	#joinedAt = Date.now();
	#isClosed = false;

	/** @throws RequestError when the address or the key cannot be used. */
	constructor(options: SessionManagerOptions) {
		this.#options = options;
		this.#place = this.#arriveAt(options.service);
		this.explorerSession = createExplorerSession(sceneOf(this.#place, options, options.profile));
		this.#watch();
	}

	readonly #notify = (sentence: string) => this.explorer.notify('warning', sentence);

	/** The keys of every service so far: what is never to be written down. */
	get keys(): readonly string[] {
		return [...this.#keys];
	}

	get explorer(): Explorer {
		return this.explorerSession.getState().explorer;
	}

	/** The lake that is shown. */
	get lake(): string {
		return this.#place.lake;
	}

	/** Settles when what earlier runs left on the disk of what they were at is there: nothing is to be begun anew over it. */
	loaded(): Promise<void> {
		return this.#place.remembered.load();
	}

	/** Has the sample made where it is what is shown, and looks for datasets where the lake holds nothing. */
	async begin(): Promise<void> {
		const {explorer} = this;
		this.#recallLater();
		void this.#place.remembered.recall(this.#place.queries);
		explorer.listen();
		try {
			if (this.#place.service.kind === 'sample')
				explorer.local.takeSample((await this.#place.client.startSample()).data);
			if (!this.#options.readOnly) await this.#makeOffer();
		} catch (error) {
			// The panes show that the service cannot be reached, for as long as that lasts.
			if (error instanceof NetworkError || this.#isClosed || explorer !== this.explorer) return;
			explorer.notify('error', messageOf(error));
		}
	}

	/**
	 * Lets everything go.
	 *
	 * @returns what goes on without the explorer, in words.
	 */
	async close(): Promise<string | undefined> {
		this.#isClosed = true;
		const going = goingOn(this.explorer);
		const stopped = this.explorer.work.known
			.getState()
			.map(({subject, loss}) => `${subject} was stopped. ${loss}`);
		const sent = this.explorer.outbox.underWay.map(
			name => `What became of ${name}, which was being sent, is said at the next start.`,
		);
		const problem = await leave(this.#place, this.explorer);
		const goesOn = going.length === 0 ? [] : [`Goes on without the explorer: ${going.join(', ')}.`];
		return [...stopped, ...sent, ...goesOn].join(' ') || problem;
	}

	#arriveAt(service: ChosenService): Location {
		const {key} = service.clientOptions;
		if (key !== undefined && key !== '') this.#keys.add(key);
		return locationOf(service, this.#notify);
	}

	/** Shows another service, with what the user was at. @param change what of that is to be otherwise. */
	async #moveTo(service: ChosenService, change: Partial<ExplorerState> = {}): Promise<void> {
		const before = {place: this.#place, explorer: this.explorer};
		const next = this.#arriveAt(service);
		await next.remembered.load();
		this.#place = next;
		// Now and not before: keys were pressed while that was read.
		const state = {...before.explorer.state.getState(), ...change};
		const {readOnly} = this.explorer;
		const {uploader, profile} = this.#options;
		const messages = before.explorer.notices.messages.getState();
		// The sentences of the one before went with its timers.
		this.explorerSession.setState(
			sceneOf(this.#place, {state: {...state, notices: []}, readOnly, messages, uploader}, profile),
			true,
		);
		this.#watch();
		this.#recallLater();
		void this.#place.remembered.recall(this.#place.queries);
		this.explorer.listen();
		await leave(before.place, before.explorer);
	}

	/** Shows the page of an earlier run until the service answers; a quick answer does not wait for it. */
	#recallLater(): void {
		const {queries, lake} = this.#place;
		const {result} = this.explorer.window;
		setTimeout(() => {
			const isMissed = !this.#isClosed && queries === this.#place.queries && result.getState().rowCount === 0;
			if (isMissed) void recallFirstPage(queries, lake);
		}, missedAfterMs).unref();
	}

	/** An embedded service that has gone is started again, as often as that takes. */
	#watch(): void {
		const {service} = this.#place;
		void service.lost.then(() => this.#replace(service));
	}

	async #replace(lost: ChosenService): Promise<void> {
		const isMissed = () => !this.#isClosed && lost === this.#place.service;
		if (!isMissed()) return;
		this.#deaths = Date.now() - this.#joinedAt < steadyMs ? this.#deaths + 1 : 0;
		const pauseMs = this.#deaths > 1 ? nextPollMs(restartMs, this.#deaths - 1) : 0;
		const when = pauseMs > 0 ? `trying again in ${Math.ceil(pauseMs / 1000)} s` : 'starting it again';
		this.explorer.notify('warning', `The embedded service has gone; ${when}.`);
		await delay(pauseMs, undefined, {ref: false});
		for (let failures = 1; isMissed(); failures++) {
			try {
				const next = await this.#options.chooseAgain();
				if (!isMissed()) return next.leave();
				this.#joinedAt = Date.now();
				await this.#moveTo(next);
			} catch (error) {
				this.explorer.notify('error', messageOf(error));
				await delay(nextPollMs(restartMs, failures), undefined, {ref: false});
			}
		}
	}

	async #makeOffer(): Promise<void> {
		const lake = await this.#emptyLake();
		if (lake === undefined) return;
		const home = lerobotHome();
		const folders = await findDatasets(home);
		if (this.#isClosed) return;
		if (folders.length === 0) {
			if (this.#place.service.kind === 'sample') this.explorer.notify('info', standsIn);
			return;
		}
		const offer: Offer = {folders, place: shortPath(home), take: chosen => this.#ingestFolder(lake, chosen)};
		this.explorerSession.setState({offer});
		this.explorer.update(overlaid('offer'));
	}

	/** The user's own lake, if it holds nothing and nothing is on its way into it. */
	async #emptyLake(): Promise<string | undefined> {
		const {kind, emptyLake, lakeFolder} = this.#place.service;
		if (kind === 'sample') return emptyLake;
		const {client} = this.#place;
		// Why it cannot be told is said by the panes.
		const document = await this.explorer.local.document().catch(() => undefined);
		if (document === undefined || document.lake.episodes > 0) return undefined;
		const {data} = await client.listIngests();
		return data.items.every(({status}) => status.done) ? lakeFolder : undefined;
	}

	async #ingestFolder(lake: string, folders: readonly string[]): Promise<void> {
		try {
			if (this.#place.service.lakeFolder !== lake) {
				await this.#moveTo(await joinLake(lake), {overlay: undefined});
			}
			this.explorerSession.setState({offer: undefined});
			for (const folder of folders) await ingestFolder(this.explorer, folder);
		} catch (error) {
			this.explorer.notify('error', messageOf(error));
		}
	}
}

function lakeName(service: ChosenService, client: Client, profile: string | undefined): string {
	const name = placeName(service, client);
	return profile === undefined ? name : `${profile}: ${name}`;
}

function placeName({kind, lakeFolder}: ChosenService, client: Client): string {
	if (kind === 'hosted' || lakeFolder === undefined) return client.address.shown;
	if (kind === 'sample' || lakeFolder === places().lake) return hostname();
	return path.basename(lakeFolder);
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The running work of an embedded service, as the explorer knows it: the sample, ingests, jobs. */
function goingOn({local, jobs}: Pick<Explorer, 'local' | 'jobs'>): readonly string[] {
	const known = local.known.getState();
	if (known.document === undefined) return [];
	const running = jobs.known.getState().jobs.filter(job => job.status !== undefined && !hasEnded(job));
	return [
		...preparations(known).map(({subject}) => subject),
		...running.map(({name, id}) => `the job ${name ?? id}`),
	];
}

/**
 * Which lake a service has, from one run to the next: a folder, as the embedded service's address is another each time,
 * or an address with an account.
 *
 * @throws RequestError when the address cannot be used.
 */
export function lakeOf({lakeFolder, clientOptions}: ChosenService): string {
	if (lakeFolder !== undefined) return lakeFolder;
	const {origin, prefix} = readAddress(clientOptions.baseUrl);
	return `${origin}${prefix} ${clientOptions.accountId ?? ''}`;
}

/** The flags that name a service on a command line, independent of the folder. */
function nameOf({kind, lakeFolder, clientOptions}: ChosenService): ServiceName {
	if (kind === 'sample') return {flags: ['--sample']};
	if (lakeFolder !== undefined) return {flags: lakeFolder === places().lake ? [] : ['--lake', lakeFolder]};
	const {baseUrl, accountId: account} = clientOptions;
	return {
		flags: ['--url', baseUrl, ...(account ? ['--account', account] : [])],
		account: account || undefined,
	};
}
