import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {NumericField} from '../../contract/vocabulary.ts';
import type {Result} from '../result.ts';
import {FigureWatch} from './figure-watch.ts';
import {type PlotPlace, plotStart} from './plot-window.ts';
import {SeriesWatch} from './series-watch.ts';

/** What is looked at in an episode's plots. */
export type PlotsState = PlotPlace & {
	/** The episode whose window and cursor these are. */
	readonly episodeId: string | undefined;
	/** Channels as `stream.channel`; undefined until somebody chooses. */
	readonly chosen: readonly string[] | undefined;
	/** The figure whose distribution shows. */
	readonly figure: NumericField;
};

type PlotsOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<Client, 'episodeSeries' | 'histogram'>;
	readonly abilities: () => readonly string[];
	readonly result: () => Result;
};

/** What an episode was like over time, and beside the others, as far as it is looked at. */
export class Plots {
	readonly state: StoreApi<PlotsState> = createStore<PlotsState>(() => ({
		...plotStart,
		episodeId: undefined,
		chosen: undefined,
		figure: 'duration_s',
	}));
	readonly series: SeriesWatch;
	readonly figure: FigureWatch;

	constructor({queries, client, abilities, result}: PlotsOptions) {
		this.series = new SeriesWatch({queries, client, isTold: () => abilities().includes('series')});
		this.figure = new FigureWatch({queries, client, result});
	}

	/** Where the plots of an episode are looked at; another episode's begin at their beginning. */
	placeOf(episodeId: string | undefined): PlotPlace {
		const state = this.state.getState();
		return state.episodeId === episodeId ? state : plotStart;
	}

	/** Looks elsewhere in the plots of an episode. */
	move(episodeId: string, step: (place: PlotPlace) => PlotPlace): void {
		const {window, cursor} = step(this.placeOf(episodeId));
		this.state.setState({episodeId, window, cursor});
	}

	choose(chosen: readonly string[]): void {
		this.state.setState({chosen});
	}

	showFigure(figure: NumericField): void {
		this.state.setState({figure});
	}

	stop(): void {
		this.series.stop();
		this.figure.stop();
	}
}
