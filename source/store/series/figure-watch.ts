import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {Histogram} from '../../contract/local-distribution.ts';
import type {MetricName} from '../../contract/metrics.ts';
import {readHistogram, sampleDistribution} from '../episodes/distribution.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import type {Question, Result} from '../queries/explore-result.ts';

/** How a figure lies over the result. */
export type FigureKnown = {
	readonly field: MetricName;
	readonly histogram: Histogram;
	/** Of the episodes that happen to be read, not of the whole result. */
	readonly isSample: boolean;
};

/** A reader who rests this long at a figure asks for it. */
const restMs = 200;

const bins = 48;

type FigureWatchOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<Client, 'histogram'>;
	readonly result: () => Result;
};

/** How the figure that is looked at lies over the result that shows. */
export class FigureWatch {
	readonly known: StoreApi<FigureKnown | undefined> = createStore<FigureKnown | undefined>(() => undefined);
	readonly #options: FigureWatchOptions;
	readonly #reading = new DebouncedQuery({restMs});
	#wanted: string | undefined;

	constructor(options: FigureWatchOptions) {
		this.#options = options;
	}

	/**
	 * Says which figure is looked at; undefined: none.
	 *
	 * @param isTold whether the service can tell of a whole result.
	 */
	look(field: MetricName | undefined, isTold: boolean): void {
		const {result} = this.#options;
		const {order_desc: _, ...filter} = result().question;
		const wanted = field && JSON.stringify([field, filter, isTold]);
		if (wanted === this.#wanted) return;
		this.stop();
		this.#wanted = wanted;
		if (field === undefined) return;
		if (this.known.getState()?.field !== field) this.known.setState(undefined, true);
		if (isTold) {
			this.#reading.want(signal => this.#read(field, filter, signal));
		} else {
			this.known.setState(
				{field, histogram: sampleDistribution(result().held(), field, bins), isSample: true},
				true,
			);
		}
	}

	stop(): void {
		this.#reading.drop();
		this.#wanted = undefined;
	}

	async #read(field: MetricName, filter: Question, signal: AbortSignal): Promise<void> {
		const histogram = await readHistogram(this.#options, {of: {field}, filter, bins}, signal);
		if (!signal.aborted) this.known.setState({field, histogram, isSample: false}, true);
	}
}
