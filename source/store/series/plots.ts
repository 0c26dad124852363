import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {MetricName} from '../../contract/metrics.ts';
import type {Result} from '../queries/explore-result.ts';
import {FigureWatch} from './figure-watch.ts';
import {type PlotPlace, plotStart} from './plot-window.ts';
import {type ChosenChannels, SeriesWatch} from './series-watch.ts';

/** The state of an episode's plots. */
type PlotsState = PlotPlace & {
	/** The episode whose window and cursor these are. */
	readonly episodeId: string | undefined;
	/** The channels chosen for an episode, by its id. */
	readonly chosen: ReadonlyMap<string, ChosenChannels>;
	/** The channels of all other episodes; undefined until a choice is pinned. */
	readonly pinned: ChosenChannels | undefined;
	/** The figure whose distribution shows. */
	readonly figure: MetricName;
};

/** The channels that the user chose for an episode, if any. */
export function chosenFor(
	{chosen, pinned}: Pick<PlotsState, 'chosen' | 'pinned'>,
	episodeId: string | undefined,
): ChosenChannels | undefined {
	return (episodeId === undefined ? undefined : chosen.get(episodeId)) ?? pinned;
}

/** Episodes whose choice is kept; the oldest go first. */
const mostChoices = 1000;

type PlotsOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<Client, 'episodeSeries' | 'histogram'>;
	readonly abilities: () => readonly string[];
	readonly result: () => Result;
};

/** An episode over time, and beside the others, as far as it is on the screen. */
export class Plots {
	readonly state: StoreApi<PlotsState> = createStore<PlotsState>(() => ({
		...plotStart,
		episodeId: undefined,
		chosen: new Map(),
		pinned: undefined,
		figure: 'duration_s',
	}));
	readonly series: SeriesWatch;
	readonly figure: FigureWatch;

	constructor({queries, client, abilities, result}: PlotsOptions) {
		this.series = new SeriesWatch({queries, client, isTold: () => abilities().includes('series')});
		this.figure = new FigureWatch({queries, client, result});
	}

	/** Where the plots of an episode are looked at; another episode's begin at their beginning. */
	locationOf(episodeId: string | undefined): PlotPlace {
		const state = this.state.getState();
		return state.episodeId === episodeId ? state : plotStart;
	}

	/** Looks elsewhere in the plots of an episode. */
	move(episodeId: string, step: (place: PlotPlace) => PlotPlace): void {
		const {window, cursor} = step(this.locationOf(episodeId));
		this.state.setState({episodeId, window, cursor});
	}

	/** Draws these channels of an episode; without any the usual ones. */
	choose(episodeId: string, channels: readonly string[]): void {
		const {chosen, pinned} = this.state.getState();
		const others = [...chosen].filter(([id]) => id !== episodeId).slice(-mostChoices);
		const own: [string, ChosenChannels][] = channels.length === 0 ? [] : [[episodeId, {channels}]];
		// A choice that is pinned changes for all.
		const isPinned = pinned !== undefined && channels.length > 0;
		this.state.setState({
			chosen: new Map([...others, ...own]),
			pinned: isPinned ? {channels, isPinned} : undefined,
		});
	}

	/** Draws the channels of an episode of all others too. */
	pin(channels: readonly string[]): void {
		this.state.setState({pinned: {channels, isPinned: true}});
	}

	/** Chosen channels stay with their episodes. @param shown the channels that stay drawn for this one */
	unpin(episodeId: string, shown: readonly string[]): void {
		this.state.setState({pinned: undefined});
		this.choose(episodeId, shown);
	}

	showFigure(figure: MetricName): void {
		this.state.setState({figure});
	}

	stop(): void {
		this.series.stop();
		this.figure.stop();
	}
}
