import {hostname} from 'node:os';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import {readAddress} from '../client/address.ts';
import {type Client, createClient} from '../client/client.ts';
import {NetworkError} from '../client/errors.ts';
import {keptDatasets, keptName} from '../files/datasets-on-disk.ts';
import {places, shortPath} from '../files/places.ts';
import {keepFirstPage, recallFirstPage} from '../store/episodes/cold-start.ts';
import {Explorer, type ExplorerOptions} from '../store/explorer.ts';
import {createExplorerSession, type ExplorerSession, type Offer} from '../store/explorer-session.ts';
import type {ExplorerState} from '../store/explorer-state.ts';
import type {ServiceName} from '../store/export/shell-lines.ts';
import {ingestFolder} from '../store/ingest-folder.ts';
import {hasEnded} from '../store/jobs/job-entry.ts';
import {nextPollMs} from '../store/queries/polling.ts';
import {createQueryClient} from '../store/queries/query-client.ts';
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

/** The service on the screen: its client and its lake. */
type Location = {
	readonly service: ChosenService;
	readonly client: Client;
	readonly queries: QueryClient;
	/** Identifies the lake across runs. */
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

/** Stores the answers that the next run shows first, and closes everything. @returns a sentence about what could not be stored */
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

/** The notice over the sample, where the lake is empty. */
const standsIn = 'This is the sample: simulated arms. lakescope ingest DIR adds your own recordings.';

/** The longest wait for the first page of a service. */
const missedAfterMs = 150;

/** The first pause between two restarts of a service: a full disk may have room again. */
const restartMs = 2000;

/** A service that lived for less died of a cause that its next start meets too. */
const steadyMs = 60_000;

/** The service of the explorer, and the changes to another: after a loss, or from an empty lake to the sample. */
export class SessionManager {
	readonly explorerSession: StoreApi<ExplorerSession>;
	readonly #options: SessionManagerOptions;
	#place: Location;
	readonly #keys = new Set<string>();
	/** Services in a row that died soon after they were joined. */
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

	/** The keys of every service so far, which are never written to disk. */
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

	/** Settles when the unfinished work of earlier runs is read from the disk; new work must not overwrite it. */
	loaded(): Promise<void> {
		return this.#place.remembered.load();
	}

	/** Makes the sample if it is shown, and looks for datasets if the lake is empty. */
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
	 * Closes everything.
	 *
	 * @returns sentences about the work that continues without the explorer.
	 */
	async close(): Promise<string | undefined> {
		this.#isClosed = true;
		const going = goingOn(this.explorer);
		const stopped = this.explorer.work.known
			.getState()
			.map(({subject, loss}) => `${subject} was stopped. ${loss}`);
		const sent = this.explorer.outbox.underWay.map(
			name => `${name} was being sent: the next start shows its outcome.`,
		);
		const problem = await leave(this.#place, this.explorer);
		const goesOn = going.length === 0 ? [] : [`Continues without the explorer: ${going.join(', ')}.`];
		return [...stopped, ...sent, ...goesOn].join(' ') || problem;
	}

	#arriveAt(service: ChosenService): Location {
		const {key} = service.clientOptions;
		if (key !== undefined && key !== '') this.#keys.add(key);
		return locationOf(service, this.#notify);
	}

	/** Shows another service, at the user's location. @param change the parts of the location that change */
	async #moveTo(service: ChosenService, change: Partial<ExplorerState> = {}): Promise<void> {
		const before = {place: this.#place, explorer: this.explorer};
		const next = this.#arriveAt(service);
		await next.remembered.load();
		this.#place = next;
		// Read only now: keys were pressed in the meantime.
		const state = {...before.explorer.state.getState(), ...change};
		const {readOnly} = this.explorer;
		const {uploader, profile} = this.#options;
		const messages = before.explorer.notices.messages.getState();
		// The notices of the service before went with its timers.
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

	/** Shows the page of an earlier run until the service answers. */
	recallFirstPage(): Promise<void> {
		return recallFirstPage(this.#place.queries, this.#place.lake);
	}

	/** Shows it unless the service is quick. */
	#recallLater(): void {
		const {queries, lake} = this.#place;
		const {result} = this.explorer.window;
		setTimeout(() => {
			const isMissed = !this.#isClosed && queries === this.#place.queries && result.getState().rowCount === 0;
			if (isMissed) void recallFirstPage(queries, lake);
		}, missedAfterMs).unref();
	}

	/** Starts an embedded service again that has gone, until one lives. */
	#watch(): void {
		const {service} = this.#place;
		void service.lost.then(reason => this.#replace(service, reason !== 'elsewhere'));
	}

	async #replace(lost: ChosenService, hasGone: boolean): Promise<void> {
		const isMissed = () => !this.#isClosed && lost === this.#place.service;
		if (!isMissed()) return;
		this.#deaths = Date.now() - this.#joinedAt < steadyMs ? this.#deaths + 1 : 0;
		const pauseMs = this.#deaths > 1 ? nextPollMs(restartMs, this.#deaths - 1) : 0;
		const when = pauseMs > 0 ? `trying again in ${Math.ceil(pauseMs / 1000)} s` : 'starting it again';
		if (hasGone) this.explorer.notify('warning', `The embedded service has stopped; ${when}.`);
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
		const {folders, places: found} = await keptDatasets();
		if (this.#isClosed) return;
		if (folders.length === 0) {
			if (this.#place.service.kind === 'sample') this.explorer.notify('info', standsIn);
			return;
		}
		const offer: Offer = {
			folders,
			nameOf: folder => keptName(folder),
			place: found.map(shortPath).join(' and '),
			take: chosen => this.#ingestFolder(lake, chosen),
		};
		this.explorerSession.setState({offer});
		this.explorer.update(overlaid('offer'));
	}

	/** The user's own lake, if it is empty and no ingest into it is running. */
	async #emptyLake(): Promise<string | undefined> {
		const {kind, emptyLake, lakeFolder} = this.#place.service;
		if (kind === 'sample') return emptyLake;
		const {client} = this.#place;
		// The panes show the reason.
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
 * Identifies a service's lake across runs: a folder, since the address of an embedded service changes each time,
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
