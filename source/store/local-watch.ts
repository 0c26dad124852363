import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import type {IngestRecord, LocalDocument, SampleStatus} from '../contract/local.ts';
import {Watched} from './watched.ts';

/** What the embedded service says of itself, where the service is one. */
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

export type LocalClient = Pick<Client, 'localDocument' | 'listIngests' | 'startSample' | 'sampleStatus'>;

const movingMs = 500;
const calmMs = 5000;
/** While events tell when something begins. */
const liveMs = 30_000;

/** Whether a dataset is being taken in, or the sample written, just now. */
export function isMoving({ingests, sample}: LocalKnowledge): boolean {
	return (
		ingests.some(({status}) => !status.done) ||
		sample?.phase === 'absent' ||
		sample?.phase === 'writing' ||
		sample?.phase === 'ingesting'
	);
}

/** What makes the lake another one: its size, and every ingest that ended. */
function lakeMark({document, ingests}: LocalKnowledge): string {
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
	readonly #stops: (() => void)[] = [];
	#refetches: (() => unknown)[] = [];
	#isLive = false;

	/** @param options.changed called when the lake became another one, or something began or ceased to move. */
	constructor(options: {
		queries: QueryClient;
		client: LocalClient;
		changed: (what: {lake: boolean; moving: boolean}) => void;
	}) {
		this.#queries = options.queries;
		this.#client = options.client;
		this.#changed = options.changed;
	}

	start(): void {
		let isEmbedded = false;
		this.#observe(
			['local', 'document'],
			// A query may not answer undefined.
			async signal => (await this.#client.localDocument({signal})) ?? null,
			document => {
				if (document === null) return this.#know({isOther: true});
				this.#know({document});
				if (isEmbedded) return;
				isEmbedded = true;
				this.#watchLake(document.lake.sample);
			},
		);
	}

	/** Whether the service has an ability; it is asked where it has not told yet. */
	async can(ability: string, signal: AbortSignal): Promise<boolean> {
		const {document, isOther} = this.known.getState();
		if (isOther) return false;
		const told = document ?? (await this.#client.localDocument({signal}));
		return told?.abilities.includes(ability) ?? false;
	}

	/** Whether events tell when to look; it is looked rarely otherwise. Takes effect with the next look. */
	setLive(isLive: boolean): void {
		this.#isLive = isLive;
	}

	/** Looks again at once: something was just begun. */
	lookAgain(): void {
		for (const refetch of this.#refetches) refetch();
	}

	stop(): void {
		for (const stop of this.#stops.splice(0)) stop();
		this.#refetches = [];
	}

	#watchLake(isSample: boolean): void {
		this.#observe(
			['local', 'ingests'],
			async signal => (await this.#client.listIngests({signal})).data.items,
			ingests => this.#know({ingests}),
		);
		if (!isSample) return;
		this.#observe(
			['local', 'sample'],
			async signal => (await this.#client.sampleStatus({signal})).data,
			sample => this.#know({sample}),
		);
	}

	#observe<Data>(
		key: readonly string[],
		read: (signal: AbortSignal) => Promise<Data>,
		take: (data: Data) => void,
	): void {
		const watched = new Watched<Data>({
			queries: this.#queries,
			key,
			read,
			paceMs: data => {
				// Nothing is expected of a service that says it is not an embedded one.
				if (data === null) return false;
				if (isMoving(this.known.getState())) return movingMs;
				return this.#isLive ? liveMs : calmMs;
			},
		});
		this.#stops.push(
			watched.known.subscribe(({data}) => {
				if (data !== undefined) take(data);
			}),
			() => watched.leave(),
		);
		this.#refetches.push(() => watched.readAgain());
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
		const lake = lakeMark(before) !== lakeMark(after);
		if (lake || isMoving(before) !== isMoving(after)) this.#changed({lake, moving: isMoving(after)});
	}
}
