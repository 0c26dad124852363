import {setTimeout as delay} from 'node:timers/promises';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {DamageReport} from '../../contract/local-repair.ts';

/** The damages of the opened dataset, as far as they are known. */
export type DatasetDamages = {
	readonly datasetId: string;
	/** Undefined until it is there. */
	readonly report: DamageReport | undefined;
	/** The reason why there is none. */
	readonly trouble: string | undefined;
};

/** A dataset that is only passed in the list is not looked at. */
const restMs = 300;
/** The service answers once it has something to say, and after seconds in any case. */
const againMs = 200;

/** Has the one dataset that is opened checked, as the service does it on its machine. */
export class DatasetDamageWatch {
	readonly known: StoreApi<DatasetDamages | undefined> = createStore(
		(): DatasetDamages | undefined => undefined,
	);
	readonly #client: Pick<Client, 'datasetDamages'>;
	#reading: AbortController | undefined;
	#opened = '';

	constructor(client: Pick<Client, 'datasetDamages'>) {
		this.#client = client;
	}

	/**
	 * Looks at a dataset, or at none.
	 *
	 * @param mark is another once the dataset was ingested again
	 */
	open(datasetId: string | undefined, mark: string | null | undefined): void {
		const opened = datasetId === undefined ? '' : `${datasetId} ${mark}`;
		if (opened === this.#opened) return;
		this.#opened = opened;
		this.#reading?.abort();
		if (this.known.getState()?.datasetId !== datasetId) this.known.setState(undefined, true);
		if (datasetId === undefined) return;
		const reading = new AbortController();
		this.#reading = reading;
		void this.#read(datasetId, reading.signal);
	}

	async #read(datasetId: string, signal: AbortSignal): Promise<void> {
		try {
			await delay(restMs, undefined, {signal});
			this.known.setState({datasetId, report: undefined, trouble: undefined}, true);
			for (;;) {
				const {data: report} = await this.#client.datasetDamages(datasetId, {signal});
				if (signal.aborted) return;
				this.known.setState({datasetId, report, trouble: report.message ?? undefined}, true);
				if (report.state !== 'checking') return;
				await delay(againMs, undefined, {signal});
			}
		} catch (error) {
			if (signal.aborted) return;
			const trouble = error instanceof Error ? error.message : String(error);
			this.known.setState({datasetId, report: undefined, trouble}, true);
		}
	}
}
