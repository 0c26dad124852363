import type {Client} from '../../client/client.ts';
import type {IngestProblem} from '../../contract/local.ts';

type Counted = {readonly operationId: string | undefined; readonly problemCount: number};

/** Those of the longest ago go first, and are asked for again. */
const mostKept = 200;

/** What ingests found broken, in words: the list of them only counts, so each is asked for once it is looked at. */
export class IngestProblems {
	readonly #client: Pick<Client, 'ingestRecord'>;
	readonly #changed: () => void;
	/** By operation; with the problems of an earlier count while those of this one are on their way. */
	readonly #read = new Map<string, {readonly count: number; readonly problems: readonly IngestProblem[]}>();

	constructor(client: Pick<Client, 'ingestRecord'>, changed: () => void) {
		this.#client = client;
		this.#changed = changed;
	}

	of(operationId: string | undefined): readonly IngestProblem[] {
		return this.#read.get(operationId ?? '')?.problems ?? [];
	}

	/** Reads them unless they are known for this count. Where that fails, the count alone shows. */
	async look({operationId, problemCount}: Counted): Promise<void> {
		if (operationId === undefined || problemCount === 0) return;
		if (this.#read.get(operationId)?.count === problemCount) return;
		this.#read.set(operationId, {count: problemCount, problems: this.of(operationId)});
		const [oldest] = this.#read.keys();
		if (this.#read.size > mostKept && oldest !== undefined) this.#read.delete(oldest);
		try {
			const {data} = await this.#client.ingestRecord(operationId);
			this.#read.set(operationId, {count: problemCount, problems: data.problems});
			this.#changed();
		} catch {
			this.#read.delete(operationId);
		}
	}
}
