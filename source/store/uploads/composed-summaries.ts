import type {Client} from '../../client/client.ts';
import type {ComposeSummary} from '../../contract/local-compose.ts';
import {dropOldest} from './ingest-problems.ts';
import type {UploadEntry} from './upload-entry.ts';

type Looked = Pick<UploadEntry, 'operationId' | 'phase' | 'folder'>;

/** Where the embedded service makes datasets of others' episodes: `composed/ID/NAME` in its lake. */
const composedFolder = /\/composed\/[0-9a-f-]{36}\/[^/]+$/;

/** Summaries of compositions: the feed lists compositions as ingests, so each summary is read once its entry is opened. */
export class ComposedSummaries {
	readonly #client: Pick<Client, 'composition'>;
	readonly #changed: () => void;
	readonly #read = new Map<string, ComposeSummary | undefined>();
	/** Of which the answer is on its way. */
	readonly #asking = new Set<string>();

	constructor(client: Pick<Client, 'composition'>, changed: () => void) {
		this.#client = client;
		this.#changed = changed;
	}

	of(operationId: string | undefined): ComposeSummary | undefined {
		return this.#read.get(operationId ?? '');
	}

	/** Reads it unless it is known. Where that fails, nothing of it shows until it is looked at again. */
	async look({operationId, phase, folder}: Looked): Promise<void> {
		if (operationId === undefined || phase !== 'finalized' || !composedFolder.test(folder ?? '')) return;
		if (this.#read.has(operationId)) return;
		this.#read.set(operationId, undefined);
		this.#asking.add(operationId);
		try {
			const {data} = await this.#client.composition(operationId);
			this.#read.set(operationId, data.summary ?? undefined);
			this.#changed();
		} catch {
			this.#read.delete(operationId);
		} finally {
			this.#asking.delete(operationId);
			dropOldest(this.#read, this.#asking);
		}
	}
}
