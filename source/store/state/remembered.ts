import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import {lakeFileName, readState, writeState} from '../../files/state.ts';
import {keepAnswers, recallAnswers} from './last-answers.ts';
import {
	type Dismissed,
	type Launch,
	merged,
	nothingRemembered,
	type OutboxEntry,
	type RememberedJob,
	type RememberedOperation,
	type RememberedState,
	rememberedBounds,
	rememberedState,
	withEntry,
} from './remembered-state.ts';

/** Changes are written this much later, together with those made meanwhile. */
const writeAfterMs = 1000;

/** Ids that are not to be taken up again from what earlier runs wrote; the oldest go first. */
const mostForgotten = 1000;

/** A job that was just started, with whatever its starter knows of it besides. */
type Launched = {
	readonly jobId: string;
	readonly name?: string;
	/** The filter whose episodes it was started on, as the filter line says it. */
	readonly filter?: string;
	readonly dataset?: string;
	readonly picked?: Launch['picked'];
	/** How long it may train at most. */
	readonly hours?: number;
	/** The request as it was sent. */
	readonly request?: Readonly<Record<string, unknown>>;
};

type RememberedOptions = {
	/** Which lake it is, from one run to the next: a service's address and account, or a folder. */
	readonly lake: string;
	/** Is told what could not be read or written, in a sentence. */
	readonly notify: (sentence: string) => void;
};

/** The memory that outlives a run: launched, followed and dismissed work, and when the user last looked. */
export class Remembered {
	readonly state: StoreApi<RememberedState>;
	readonly #options: RememberedOptions | undefined;
	readonly #name: string;
	#timer: NodeJS.Timeout | undefined;
	readonly #forgotten = new Set<string>();
	#isChanged = false;
	#loaded: Promise<void> | undefined;
	#recalled: Promise<void> | undefined;
	#isRecalled: boolean;
	#writing: Promise<unknown> = Promise.resolve();

	/** @param options without them nothing is read or written. */
	constructor(options?: RememberedOptions) {
		const lake = options?.lake ?? '';
		this.#options = options;
		this.#isRecalled = options === undefined;
		this.#name = lakeFileName('remembered', lake);
		this.state = createStore(() => nothingRemembered(lake));
	}

	/** Takes up what earlier runs remembered, besides what this one does already; again is no change. */
	load(): Promise<void> {
		this.#loaded ??= this.#load();
		return this.#loaded;
	}

	/** The same, and what they last read of the service. */
	recall(queries: QueryClient): Promise<void> {
		this.#recalled ??= this.#recall(queries);
		return this.#recalled;
	}

	/** The memory of earlier runs is read. */
	get isRecalled(): boolean {
		return this.#isRecalled;
	}

	/** A job was started from here: what the service does not tell of it is shown all the same. */
	launched(launch: Launched): void {
		const options = {idOf: ({jobId}: Launch) => jobId, most: rememberedBounds.launches};
		this.#change(({launches}) => ({
			launches: withEntry<Launch>(launches, {...launch, at: Date.now()}, options),
		}));
	}

	/**
	 * Something is about to be sent, once; it is on the disk when this settles.
	 *
	 * @returns the sentence that says why it is not
	 */
	sent(entry: OutboxEntry): Promise<string | undefined> {
		const options = {idOf: ({id}: OutboxEntry) => id, most: rememberedBounds.orders};
		this.#change(({orders}) => ({orders: withEntry(orders, entry, options)}));
		return this.keep();
	}

	/** It is known what became of what was sent. */
	orderSettled(id: string): void {
		this.#forget(id);
		this.#change(({orders}) => ({orders: orders.filter(each => each.id !== id)}));
	}

	/** A fine-tune is being written; undefined when it was sent. */
	drafted(launchDraft: unknown): void {
		this.#change(() => ({launchDraft}));
	}

	/** The launch of a job from here. */
	launchOf(jobId: string): Launch | undefined {
		return this.state.getState().launches.find(each => each.jobId === jobId);
	}

	operationFollowed(operation: RememberedOperation): void {
		const options = {
			idOf: ({operationId}: RememberedOperation) => operationId,
			most: rememberedBounds.operations,
		};
		this.#forgotten.delete(operation.operationId);
		this.#change(({operations}) => ({operations: withEntry(operations, operation, options)}));
	}

	/** The service does not know this operation: it is followed no more. */
	operationForgotten(operationId: string): void {
		if (!this.state.getState().operations.some(each => each.operationId === operationId)) return;
		this.#forget(operationId);
		this.#change(({operations}) => ({
			operations: operations.filter(each => each.operationId !== operationId),
		}));
	}

	jobFollowed(job: RememberedJob): void {
		const options = {idOf: ({jobId}: RememberedJob) => jobId, most: rememberedBounds.jobs};
		this.#forgotten.delete(job.jobId);
		this.#change(({jobs}) => ({jobs: withEntry(jobs, job, options)}));
	}

	/** The service does not know this job: it is followed no more. */
	jobForgotten(jobId: string): void {
		this.#forget(jobId);
		this.#change(({jobs}) => ({jobs: jobs.filter(each => each.jobId !== jobId)}));
	}

	dismissed(dismissal: Dismissed): void {
		const options = {idOf: ({repoId}: Dismissed) => repoId, most: rememberedBounds.dismissed};
		this.#change(({dismissed}) => ({dismissed: withEntry(dismissed, dismissal, options)}));
	}

	/** The user looked: what ended until now is not news to the next run. */
	looked(what: Pick<RememberedState, 'lookedAt' | 'episodes'>): void {
		this.#change(() => what);
	}

	/** Keeps what was read of the service, for the next run to show until it has read it itself. */
	async keepAnswers(queries: QueryClient): Promise<void> {
		if (this.#options !== undefined) await keepAnswers(queries, this.#options.lake);
	}

	/** Writes what is not written yet. @returns the sentence that says why that failed */
	async keep(): Promise<string | undefined> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		// One after the other: each reads what the one before wrote.
		const written = this.#writing.then(() => this.#write());
		this.#writing = written;
		return written;
	}

	#forget(id: string): void {
		this.#forgotten.add(id);
		const [oldest] = this.#forgotten;
		if (this.#forgotten.size > mostForgotten && oldest !== undefined) this.#forgotten.delete(oldest);
	}

	async #recall(queries: QueryClient): Promise<void> {
		if (this.#options === undefined) return;
		const {lake, notify} = this.#options;
		await this.load();
		await recallAnswers(queries, lake, notify);
	}

	async #load(): Promise<void> {
		const kept = await this.#read();
		if (kept !== undefined) this.state.setState(now => merged(kept, now), true);
		this.#isRecalled = true;
	}

	#change(change: (state: RememberedState) => Partial<RememberedState>): void {
		this.state.setState(change);
		this.#isChanged = true;
		if (this.#options === undefined) return;
		this.#timer ??= setTimeout(() => {
			void this.keep().then(problem => problem !== undefined && this.#options?.notify(problem));
		}, writeAfterMs);
		this.#timer.unref();
	}

	/** Another explorer of this lake may have written meanwhile: what it remembers stays. */
	async #write(): Promise<string | undefined> {
		if (!this.#isChanged || this.#options === undefined) return undefined;
		this.#isChanged = false;
		const kept = await this.#read();
		const state = this.state.getState();
		return writeState(this.#name, kept === undefined ? state : merged(kept, state));
	}

	async #read(): Promise<RememberedState | undefined> {
		if (this.#options === undefined) return undefined;
		const {lake, notify} = this.#options;
		const kept = await readState(this.#name, rememberedState, notify);
		if (kept?.lake !== lake) return undefined;
		return {
			...kept,
			orders: kept.orders.filter(each => !this.#forgotten.has(each.id)),
			operations: kept.operations.filter(each => !this.#forgotten.has(each.operationId)),
			jobs: kept.jobs.filter(each => !this.#forgotten.has(each.jobId)),
		};
	}
}
