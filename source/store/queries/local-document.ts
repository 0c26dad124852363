import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {IngestRecord, LocalDocument, SampleStatus} from '../../contract/local.ts';
import {Watched, type WatchedOptions} from './polled.ts';
import {unseenLivePaceMs} from './polling.ts';

/** The embedded service's description of itself; empty for other services. */
export type LocalKnowledge = {
	/** Undefined while unknown, and where the service is another. */
	readonly document: LocalDocument | undefined;
	/** The service has said that it is another. */
	readonly isOther: boolean;
	/** Newest first. */
	readonly ingests: readonly IngestRecord[];
	/** Only on a lake opened as the sample. */
	readonly sample: SampleStatus | undefined;
};

type LocalClient = Pick<Client, 'localDocument' | 'listIngests' | 'startSample' | 'sampleStatus'>;

const movingMs = 500;
const calmMs = 5000;

const documentKey = ['local', 'document'];
const sampleKey = ['local', 'sample'];

/** True while a dataset is being ingested, or the sample written. */
export function isMoving({ingests, sample}: LocalKnowledge): boolean {
	return (
		ingests.some(({status}) => !status.done) ||
		sample?.phase === 'absent' ||
		sample?.phase === 'writing' ||
		sample?.phase === 'ingesting'
	);
}

/** A text that changes with the lake: its size, and every ingest that ended. */
function lakeMark({document, ingests}: Pick<LocalKnowledge, 'document' | 'ingests'>): string {
	const ended = ingests.filter(({status}) => status.phase === 'finalized').map(record => record.operation_id);
	return JSON.stringify([document?.lake.datasets, document?.lake.episodes, ended]);
}

/**
 * Watches the embedded service under `/local/v1`: quickly while something moves there, gently otherwise, and not at
 * all where the service turns out to be another.
 */
export class LocalWatch {
	readonly known: StoreApi<LocalKnowledge> = createStore(() => ({
		document: undefined,
		isOther: false,
		ingests: [],
		sample: undefined,
	}));
	readonly #queries: QueryClient;
	readonly #client: LocalClient;
	readonly #changed: (what: {lake: boolean; moving: boolean}) => void;
	readonly #self: Watched<LocalDocument | null>;
	#lake: readonly Watched<unknown>[] = [];
	readonly #stops: (() => void)[] = [];
	#isLive = false;
	#areIngestsKnown = false;
	/** The mark of the lake when it was last read. */
	#mark: string | undefined;

	/** @param options.changed called when the lake became another one, or something began or ceased to move. */
	constructor(options: {
		queries: QueryClient;
		client: LocalClient;
		changed: (what: {lake: boolean; moving: boolean}) => void;
	}) {
		this.#queries = options.queries;
		this.#client = options.client;
		this.#changed = options.changed;
		this.#self = this.#watched(documentKey, signal => this.#readDocument(signal), {
			paceMs: document => (document === null ? false : this.#isLive ? unseenLivePaceMs : calmMs),
			// One answer tells which service it is, until the connection was lost.
			isOver: document => document === null,
		});
	}

	start(): void {
		this.#follow(this.#self, document => {
			if (document === null) return this.#know({isOther: true});
			this.#know({document, isOther: false});
			if (this.#lake.length === 0) this.#watchLake(document.lake.sample);
		});
	}

	/** The embedded service's description of itself; read once for all callers. */
	async document(signal?: AbortSignal): Promise<LocalDocument | undefined> {
		const {document, isOther} = this.known.getState();
		if (isOther) return undefined;
		const told =
			document ??
			(await this.#queries.fetchQuery({
				queryKey: documentKey,
				queryFn: asking => this.#readDocument(asking.signal),
				staleTime: Number.POSITIVE_INFINITY,
			}));
		signal?.throwIfAborted();
		return told ?? undefined;
	}

	/** True if the service has an ability. */
	async can(ability: string, signal: AbortSignal): Promise<boolean> {
		return (await this.document(signal))?.abilities.includes(ability) ?? false;
	}

	/** Polls rarely while events announce changes. */
	setLive(isLive: boolean): void {
		if (isLive === this.#isLive) return;
		this.#isLive = isLive;
		for (const watched of [this.#self, ...this.#lake]) watched.paceChanged();
	}

	/** Takes what was just told of the sample: it is not asked for again at once. */
	takeSample(sample: SampleStatus): void {
		this.#queries.setQueryData(sampleKey, sample);
	}

	/** The service is an embedded one, whose ingests and sample can be looked at. */
	get isEmbedded(): boolean {
		return this.#lake.length > 0;
	}

	/** Fetches ingests and sample at once: something was just begun, or an event says so. */
	refetchIngests(): void {
		for (const watched of this.#lake) watched.refetch();
	}

	/** Fetches everything, also which service it is: the connection was lost, or the user asks. */
	refetch(): void {
		this.#self.refetch();
		this.refetchIngests();
	}

	stop(): void {
		for (const stop of this.#stops.splice(0)) stop();
		this.#lake = [];
	}

	/** A query may not answer undefined. */
	async #readDocument(signal: AbortSignal): Promise<LocalDocument | null> {
		return (await this.#client.localDocument({signal})) ?? null;
	}

	#watchLake(isSample: boolean): void {
		const paceMs = () => {
			if (isMoving(this.known.getState())) return movingMs;
			return this.#isLive ? unseenLivePaceMs : calmMs;
		};
		const ingests = this.#watched(
			['local', 'ingests'],
			async signal => (await this.#client.listIngests({signal})).data.items,
			{paceMs},
		);
		const sample = this.#watched(
			sampleKey,
			async signal => (await this.#client.sampleStatus({signal})).data,
			{paceMs},
		);
		this.#lake = (isSample ? [ingests, sample] : [ingests]) as readonly Watched<unknown>[];
		this.#follow(ingests, items => this.#know({ingests: items}));
		if (isSample) this.#follow(sample, status => this.#know({sample: status}));
	}

	#watched<Data>(
		key: readonly string[],
		read: (signal: AbortSignal) => Promise<Data>,
		how: Pick<WatchedOptions<Data>, 'paceMs' | 'isOver'>,
	): Watched<Data> {
		return new Watched<Data>({queries: this.#queries, key, read, ...how});
	}

	#follow<Data>(watched: Watched<Data>, take: (data: Data) => void): void {
		this.#stops.push(
			watched.known.subscribe(({data}) => {
				if (data !== undefined) take(data);
			}),
			() => watched.leave(),
		);
		watched.watch();
	}

	#know(news: Partial<LocalKnowledge>): void {
		const before = this.known.getState();
		const isNew = Object.entries(news).some(
			([name, value]) => before[name as keyof LocalKnowledge] !== value,
		);
		if (!isNew) return;
		this.known.setState(news);
		const after = this.known.getState();
		if (news.ingests !== undefined) this.#areIngestsKnown = true;
		const mark = this.#areIngestsKnown ? lakeMark(after) : undefined;
		// The first reading is no change.
		const lake = this.#mark !== undefined && this.#mark !== mark;
		this.#mark = mark;
		// How much the lake holds is told by the document alone.
		if (lake && news.ingests !== undefined) this.#self.refetch();
		if (isMoving(before) !== isMoving(after)) for (const watched of this.#lake) watched.paceChanged();
		if (lake || isMoving(before) !== isMoving(after)) this.#changed({lake, moving: isMoving(after)});
	}
}
