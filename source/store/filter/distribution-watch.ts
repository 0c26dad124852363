import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {Figure, Histogram} from '../../contract/local-distribution.ts';
import type {FigureAt} from '../../query/figure-at.ts';
import {type DatasetIdByName, toExploreRequest} from '../../query/filter.ts';
import {print} from '../../query/print.ts';
import {readHistogram, sampleDistribution} from '../episodes/distribution.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import type {LatestOnlyQueue} from '../queries/latest-only.ts';

/** How the figure at the caret lies. */
export type Distribution = {
	readonly of: Figure;
	readonly histogram: Histogram;
	/** Of the episodes that happen to be read, not of the whole result. */
	readonly isSample: boolean;
};

const histogramBins = 32;

/** A caret that rests this long at a figure asks for it. */
const restMs = 250;

type DistributionOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<Client, 'histogram'>;
	readonly queue: LatestOnlyQueue;
	readonly idOf: DatasetIdByName;
	/** True if the service has distributions of a whole result. */
	readonly isTold: () => boolean;
	readonly held: () => readonly LakeEpisode[];
};

/** How the figure at the caret lies over the result of the rest of the line. */
export class DistributionWatch {
	readonly known: StoreApi<Distribution | undefined> = createStore<Distribution | undefined>(() => undefined);
	readonly #options: DistributionOptions;
	readonly #reading: DebouncedQuery;
	#wanted: string | undefined;

	constructor(options: DistributionOptions) {
		this.#options = options;
		this.#reading = new DebouncedQuery({restMs, queue: options.queue, name: 'histogram'});
	}

	/** Says which figure the caret is at. */
	look(at: FigureAt | undefined): void {
		const wanted = at && JSON.stringify([at.of, print({...at.rest, descending: false})]);
		if (wanted === this.#wanted) return;
		this.stop();
		this.#wanted = wanted;
		const before = this.known.getState();
		const isSame =
			at !== undefined && before !== undefined && JSON.stringify(before.of) === JSON.stringify(at.of);
		// Of the same figure it stays until the new one is there.
		if (!isSame) this.known.setState(undefined, true);
		if (at === undefined) return;
		if (this.#options.isTold()) {
			this.#ask(at);
		} else if ('field' in at.of) {
			const histogram = sampleDistribution(this.#options.held(), at.of.field, histogramBins);
			this.known.setState({of: at.of, histogram, isSample: true}, true);
		}
	}

	stop(): void {
		this.#reading.drop();
		this.#wanted = undefined;
	}

	#ask({of, rest}: FigureAt): void {
		const question = toExploreRequest({...rest, descending: false}, this.#options.idOf);
		if (!question.ok) return;
		const request = {of, filter: question.request, bins: histogramBins};
		this.#reading.want(async signal => {
			const histogram = await readHistogram(this.#options, request, signal);
			if (!signal.aborted) this.known.setState({of, histogram, isSample: false}, true);
		});
	}
}
