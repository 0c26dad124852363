import {programEntry} from '../launch/program-entry.ts';
import {type BoundedChild, runBounded} from '../supervisor/bounded-child.ts';
import type {ChildBounds} from '../supervisor/child-bounds.ts';
import {lineReader} from '../supervisor/child-report.ts';
import {longestReply, type SeriesReply, type SeriesRequest, seriesReply} from './series-messages.ts';

/** How long a series may take, and how long the process stays for the next one. */
const answerMs = 20_000;
const idleMs = 20_000;

/** The process ended without an answer, and why as far as that is known. */
export class SeriesCrash extends Error {
	override readonly name = 'SeriesCrash';
}

type Pending = {readonly resolve: (reply: SeriesReply) => void; readonly reject: (reason: Error) => void};

/**
 * The process that reads users' parquet for series: started when it is needed, kept while it is, one request at a time.
 * Starting it takes ten times as long as an answer of it.
 */
export class SeriesWorker {
	readonly #memoryBytes: number;
	readonly #stop = new AbortController();
	#child: Promise<BoundedChild> | undefined;
	#end = new AbortController();
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
	async ask(request: Omit<SeriesRequest, 'number'>): Promise<SeriesReply> {
		this.#waiting++;
		const turn = this.#last.then(() => this.#ask(request));
		this.#last = turn.catch(() => undefined);
		try {
			return await turn;
		} finally {
			this.#waiting--;
			if (this.#waiting === 0) this.#idle = setTimeout(() => this.#end.abort(), idleMs).unref();
		}
	}

	/** Ends the process. */
	async close(): Promise<void> {
		this.#stop.abort();
		this.#end.abort();
		await (await this.#child?.catch(() => undefined))?.end;
	}

	async #ask(request: Omit<SeriesRequest, 'number'>): Promise<SeriesReply> {
		clearTimeout(this.#idle);
		if (this.#stop.signal.aborted) throw new SeriesCrash('The service is ending.');
		this.#child ??= this.#start();
		const child = await this.#child;
		const number = ++this.#number;
		const answer = Promise.withResolvers<SeriesReply>();
		this.#pending = answer;
		child.send(`${JSON.stringify({...request, number})}\n`);
		try {
			return await answer.promise;
		} finally {
			this.#pending = undefined;
		}
	}

	async #start(): Promise<BoundedChild> {
		this.#end = new AbortController();
		const child = await runBounded({
			entry: programEntry('embedded-service.js', 'main.ts'),
			args: ['series'],
			bounds: {memoryBytes: this.#memoryBytes, stallMs: answerMs + idleMs},
			onOutput: lineReader(
				seriesReply,
				reply => {
					if (reply.number === this.#number) this.#pending?.resolve(reply);
				},
				longestReply,
			),
			signal: this.#end.signal,
		});
		void child.end.then(({ended, signal, code, lastWords}) => {
			this.#child = undefined;
			const why =
				ended === 'memory'
					? 'it took too much memory'
					: ended === 'stalled'
						? `it took longer than ${answerMs / 1000} s`
						: `it ended (${signal ?? `exit code ${code}`}) ${lastWords.split('\n')[0]}`;
			this.#pending?.reject(new SeriesCrash(`The process that reads series gave no answer: ${why}.`));
		});
		return child;
	}
}
