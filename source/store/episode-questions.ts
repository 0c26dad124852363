import type {QueryClient} from '@tanstack/query-core';
import type {StoreApi} from 'zustand/vanilla';
import type {Client} from '../client/client.ts';
import type {Filter} from '../query/filter.ts';
import type {DatasetNames} from './dataset-names.ts';
import {Explanation} from './empty-result/explanation.ts';
import type {EpisodeWindow} from './episode-window.ts';
import {EvidenceWatch} from './evidence/evidence-watch.ts';
import type {ExplorerState} from './explorer-state.ts';
import {FilterLine} from './filter-line/filter-line.ts';
import type {LocalWatch} from './local-watch.ts';
import type {SortedReading} from './order/sorted-reading.ts';
import {PictureWatch} from './pictures/picture-watch.ts';
import {Plots} from './plots/plots.ts';

type EpisodeQuestionsOptions = {
	readonly queries: QueryClient;
	readonly client: Client;
	readonly state: StoreApi<ExplorerState>;
	readonly window: EpisodeWindow;
	readonly local: LocalWatch;
	readonly names: DatasetNames;
	readonly read: SortedReading['read'];
	readonly filterBy: (filter: Filter) => void;
};

/** What the service is asked about episodes besides the rows of the table, by whoever looks closer. */
export class EpisodeQuestions {
	readonly evidence: EvidenceWatch;
	readonly plots: Plots;
	readonly pictures: PictureWatch;
	readonly explanation: Explanation;
	readonly filterLine: FilterLine;

	constructor({queries, client, state, window, local, names, read, filterBy}: EpisodeQuestionsOptions) {
		const asking = {
			queries,
			client,
			abilities: () => local.known.getState().document?.abilities ?? [],
			filter: () => state.getState().filter,
		};
		this.evidence = new EvidenceWatch(queries, client);
		this.pictures = new PictureWatch(asking);
		this.plots = new Plots({...asking, result: () => window.result.getState()});
		this.explanation = new Explanation({...asking, idOf: names.idOf, result: window.result});
		this.filterLine = new FilterLine({...asking, names, read, window, apply: filterBy});
	}

	stop(): void {
		this.evidence.stop();
		this.plots.stop();
		this.pictures.close();
		this.filterLine.close();
		this.explanation.stop();
	}
}
