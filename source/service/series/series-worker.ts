import {type BoundedChild, type ChildBounds, type ChildEnd, runBounded} from '../workers/bounded-child.ts';
import {lineReader} from '../workers/child-report.ts';
import {programEntry} from '../workers/program-entry.ts';
import {longestReply, type SeriesReply, seriesReply, type Unnumbered} from './series-messages.ts';

/** How long a series may take, and how long the process stays for the next one: less, or it would count as stalled. */
const answerMs = 40_000;
const idleMs = 20_000;

/** The process ended without an answer, and why as far as that is known. */
export class SeriesCrash extends Error {
	override readonly name = 'SeriesCrash';
}

function crashOf({ended, signal, code, lastWords}: ChildEnd): SeriesCrash {
	const why =
		ended === 'memory'
			? 'it took too much memory'
			: ended === 'stalled'
				? `it took longer than ${answerMs / 1000} s`
				: `it ended (${signal ?? `exit code ${code}`}) ${lastWords.split('\n')[0]}`;
	return new SeriesCrash(`The process that reads series gave no answer: ${why.trim()}.`);
}

/** A request under way, and the process that it was sent to. */
type Pending = {
	readonly to: Promise<BoundedChild>;
	readonly resolve: (reply: SeriesReply) => void;
	readonly reject: (reason: Error) => void;
};

/**
 * The process that reads users' parquet for series: started when it is needed, kept while it is, one request at a time.
 * Starting it takes ten times as long as an answer of it.
 */
export class SeriesWorker {
	readonly #memoryBytes: number;
	readonly #stop = new AbortController();
	#child: Promise<BoundedChild> | undefined;
	#end = new AbortController();
	/** How processes ended. */
	readonly #ends = new WeakMap<Promise<BoundedChild>, ChildEnd>();
	#pending: Pending | undefined;
	#last: Promise<unknown> = Promise.resolve();
	#waiting = 0;
	#number = 0;
	#idle: NodeJS.Timeout | undefined;

	constructor({memoryBytes}: Pick<ChildBounds, 'memoryBytes'>) {
		this.#memoryBytes = memoryBytes;
	}

	/** How many requests wait or are answered. */
	get waiting(): number {
		return this.#waiting;
	}

	/**
	 * Asks for a series, after those that were asked for before.
	 *
	 * @throws {SeriesCrash}
	 */
	async ask(request: Unnumbered): Promise<SeriesReply> {
		this.#waiting++;
		const turn = this.#last.then(() => this.#ask(request));
		this.#last = turn.catch(() => undefined);
		try {
			return await turn;
		} finally {
			this.#waiting--;
			if (this.#waiting === 0) this.#idle = setTimeout(() => this.#retire(), idleMs).unref();
		}
	}

	/** Ends the process. */
	async close(): Promise<void> {
		this.#stop.abort();
		this.#end.abort();
		await (await this.#child?.catch(() => undefined))?.end;
	}

	/** Ends the process that is there; the next request starts another. */
	#retire(): void {
		this.#child = undefined;
		this.#end.abort();
	}

	async #ask(request: Unnumbered): Promise<SeriesReply> {
		clearTimeout(this.#idle);
		if (this.#stop.signal.aborted) throw new SeriesCrash('The service is ending.');
		const kept = this.#child;
		if (!kept) return this.#askOf(this.#start(), request);
		try {
			return await this.#askOf(kept, request);
		} catch (error) {
			// It may have ended since the last request, for a reason that is not this one's.
			if (!(error instanceof SeriesCrash) || this.#stop.signal.aborted) throw error;
			return this.#askOf(this.#start(), request);
		}
	}

	async #askOf(started: Promise<BoundedChild>, request: Unnumbered): Promise<SeriesReply> {
		this.#child = started;
		const child = await started.catch(error => {
			this.#child = undefined;
			throw new SeriesCrash(`The process that reads series cannot be started: ${error.message}.`);
		});
		const ended = this.#ends.get(started);
		if (ended) throw crashOf(ended);
		const number = ++this.#number;
		const answer = Promise.withResolvers<SeriesReply>();
		this.#pending = {...answer, to: started};
		child.send(`${JSON.stringify({...request, number})}\n`);
		try {
			return await answer.promise;
		} finally {
			this.#pending = undefined;
		}
	}

	#start(): Promise<BoundedChild> {
		const started = this.#run();
		// Once a process, not once a request: what waits for an end, and every answer with it, is kept until that comes.
		void started
			.then(child => child.end)
			.then(
				end => {
					this.#ends.set(started, end);
					if (this.#child === started) this.#child = undefined;
					if (this.#pending?.to === started) this.#pending.reject(crashOf(end));
				},
				() => undefined,
			);
		return started;
	}

	async #run(): Promise<BoundedChild> {
		this.#end = new AbortController();
		return runBounded({
			entry: programEntry('embedded-service.js', 'main.ts'),
			args: ['series'],
			// Each answer and each request restarts the time.
			bounds: {memoryBytes: this.#memoryBytes, stallMs: answerMs},
			onOutput: lineReader(
				seriesReply,
				reply => {
					if (reply.number === this.#number) this.#pending?.resolve(reply);
				},
				longestReply,
			),
			signal: this.#end.signal,
		});
	}
}
