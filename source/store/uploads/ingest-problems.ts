import type {Client} from '../../client/client.ts';
import type {IngestProblem} from '../../contract/local.ts';

type Counted = {readonly operationId: string | undefined; readonly problemCount: number};

/** Those beyond are asked for again. */
const mostKept = 200;

/** Problems that ingests found, in words: the list only counts them, so each is read once its entry is opened. */
export class IngestProblems {
	readonly #client: Pick<Client, 'ingestRecord'>;
	readonly #changed: () => void;
	/** By operation; with the problems of an earlier count while those of this one are on their way. */
	readonly #read = new Map<string, {readonly count: number; readonly problems: readonly IngestProblem[]}>();
	/** Of which the answer is on its way. */
	readonly #asking = new Set<string>();

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
		this.#asking.add(operationId);
		try {
			const {data} = await this.#client.ingestRecord(operationId);
			this.#read.set(operationId, {count: problemCount, problems: data.problems});
			this.#changed();
		} catch {
			this.#read.delete(operationId);
		} finally {
			this.#asking.delete(operationId);
			dropOldest(this.#read, this.#asking);
		}
	}
}

/** Of what operations are asked for, so many answers are kept: those of the longest ago go first, once they have come. */
export function dropOldest(read: Map<string, unknown>, asking: ReadonlySet<string>): void {
	for (const operationId of read.keys()) {
		if (read.size <= mostKept) return;
		if (!asking.has(operationId)) read.delete(operationId);
	}
}
