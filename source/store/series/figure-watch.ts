import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {Histogram} from '../../contract/local-distribution.ts';
import type {NumericField} from '../../contract/vocabulary.ts';
import {sampleDistribution} from '../filter/distribution-watch.ts';
import type {Question, Result} from '../queries/explore-result.ts';
import {LatestOnlyQueue} from '../queries/latest-only.ts';

/** How a figure lies over the result. */
export type FigureKnown = {
	readonly field: NumericField;
	readonly histogram: Histogram;
	/** Of the episodes that happen to be read, not of the whole result. */
	readonly isSample: boolean;
};

/** A reader who rests this long at a figure asks for it. */
const restMs = 200;

const keptMs = 60_000;

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
	readonly #lane = new LatestOnlyQueue();
	#timer: NodeJS.Timeout | undefined;
	#wanted: string | undefined;

	constructor(options: FigureWatchOptions) {
		this.#options = options;
	}

	/**
	 * Says which figure is looked at; undefined: none.
	 *
	 * @param isTold whether the service can tell of a whole result.
	 */
	look(field: NumericField | undefined, isTold: boolean): void {
		const {result} = this.#options;
		const {order_desc: _, ...filter} = result().question;
		const wanted = field && JSON.stringify([field, filter, isTold]);
		if (wanted === this.#wanted) return;
		this.stop();
		this.#wanted = wanted;
		if (field === undefined) return;
		if (this.known.getState()?.field !== field) this.known.setState(undefined, true);
		if (isTold) {
			this.#timer = setTimeout(
				() => this.#lane.want('figure', signal => this.#read(field, filter, signal)),
				restMs,
			);
		} else {
			this.known.setState(
				{field, histogram: sampleDistribution(result().held(), field, bins), isSample: true},
				true,
			);
		}
	}

	stop(): void {
		clearTimeout(this.#timer);
		this.#lane.clear();
		this.#wanted = undefined;
	}

	async #read(field: NumericField, filter: Question, signal: AbortSignal): Promise<void> {
		const {queries, client} = this.#options;
		const request = {of: {field}, filter, bins};
		const histogram = await queries.fetchQuery({
			queryKey: ['histogram', request],
			queryFn: async () => (await client.histogram(request, {signal})).data,
			staleTime: keptMs,
			gcTime: keptMs,
		});
		if (!signal.aborted) this.known.setState({field, histogram, isSample: false}, true);
	}
}
