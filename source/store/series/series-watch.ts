import type {QueryClient} from '@tanstack/query-core';
import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {EpisodeSeries} from '../../contract/local-series.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import {type PlotWindow, wholeEpisode} from './plot-window.ts';

/** The series to draw. */
type SeriesWanted = {
	readonly episodeId: string;
	readonly chosen: ChosenChannels | undefined;
	/** The channels in which it is unlike its siblings, as `stream.channel`. */
	readonly unlike: readonly string[];
	/** Dots along the plot. */
	readonly dots: number;
	readonly window: PlotWindow;
};

export type SeriesKnown = {
	/** The episode that it is of. */
	readonly episodeId: string | undefined;
	/** The channels in which it is unlike its siblings. */
	readonly unlike: readonly string[];
	/** The ranges of the action's channels, and which channels there are. */
	readonly overview: EpisodeSeries | undefined;
	/** The courses that are drawn: of the window that was asked for last, until those of the next are there. */
	readonly drawn: EpisodeSeries | undefined;
	/** Why there is none. */
	readonly failure: string | undefined;
};

export const noSeries: SeriesKnown = {
	episodeId: undefined,
	unlike: [],
	overview: undefined,
	drawn: undefined,
	failure: undefined,
};

/** A cursor that rests this long is looked into; an episode that is walked past is not. */
const restMs = 150;

const keptMs = 60_000;

/** Widths are asked for in steps, so that a terminal that is pulled wider asks once or twice. */
const widthStep = 32;

type SeriesWatchOptions = {
	readonly queries: QueryClient;
	readonly client: Pick<Client, 'episodeSeries'>;
	/** True if the service has series at all. */
	readonly isTold: () => boolean;
};

/** The series of the episode at the cursor. Requests that are not wanted any more are aborted. */
export class SeriesWatch {
	readonly known: StoreApi<SeriesKnown> = createStore<SeriesKnown>(() => noSeries);
	readonly #options: SeriesWatchOptions;
	readonly #reading = new DebouncedQuery({restMs});
	#wanted = '';

	constructor(options: SeriesWatchOptions) {
		this.#options = options;
	}

	/** True if the service has series at all. */
	get isTold(): boolean {
		return this.#options.isTold();
	}

	/** Says what is to be drawn; undefined: nothing. */
	look(wanted: SeriesWanted | undefined): void {
		const key = wanted === undefined ? '' : JSON.stringify(wanted);
		if (key === this.#wanted) return;
		this.#wanted = key;
		this.#reading.drop();
		if (wanted === undefined || !this.isTold) return;
		if (this.known.getState().episodeId !== wanted.episodeId) {
			const {episodeId, unlike} = wanted;
			this.known.setState({...noSeries, episodeId, unlike}, true);
		}
		this.#reading.want(signal => this.#read(wanted, signal));
	}

	/** Fetches what is wanted again. */
	refetch(): void {
		const wanted = this.#wanted;
		if (wanted === '') return;
		this.#wanted = '';
		this.look(JSON.parse(wanted) as SeriesWanted);
	}

	stop(): void {
		this.#reading.drop();
		this.#wanted = '';
	}

	async #read(wanted: SeriesWanted, signal: AbortSignal): Promise<void> {
		const {episodeId, chosen, unlike, window} = wanted;
		const notify = (part: Partial<SeriesKnown>) => {
			if (!signal.aborted) this.known.setState(part);
		};
		try {
			const overview = await this.#ask(episodeId, {width: 1}, signal);
			notify({overview, unlike, failure: undefined});
			const {available, frames} = overview;
			const shown = shownChannels(chosen, {available, unlike});
			const beside = shown.flatMap(name => besideOf(name, available) ?? []);
			const part =
				window.from === wholeEpisode.from && window.until === wholeEpisode.until
					? {}
					: {from: Math.floor(window.from * frames), until: Math.ceil(window.until * frames)};
			const width = Math.min(2000, Math.ceil(wanted.dots / widthStep) * widthStep);
			const query = {channels: JSON.stringify([...shown, ...beside]), width, ...part};
			notify({drawn: await this.#ask(episodeId, query, signal)});
		} catch (error) {
			notify({failure: error instanceof Error ? error.message : String(error)});
		}
	}

	#ask(
		episodeId: string,
		query: {channels?: string; width: number; from?: number; until?: number},
		signal: AbortSignal,
	): Promise<EpisodeSeries> {
		const {queries, client} = this.#options;
		return queries.fetchQuery({
			queryKey: ['series', episodeId, query],
			queryFn: async () => (await client.episodeSeries(episodeId, query, {signal})).data,
			staleTime: keptMs,
			gcTime: keptMs,
		});
	}
}

/** Plots that stand below one another at most: more are not looked at together. */
export const mostPlots = 12;

const gripper = /grip|finger|claw|hand/i;

const streamOf = (name: string) => name.slice(0, name.indexOf('.'));

/** Channels that a person chose, as `stream.channel`. */
export type ChosenChannels = {
	readonly channels: readonly string[];
	/** For every episode: those that are unlike their siblings in other channels have these drawn too. @default false */
	readonly isPinned?: boolean;
};

/**
 * The channels drawn until the user chooses: those in which the episode is unlike its siblings, or else the action's
 * grippers, or else its first channel.
 *
 * @param unlike as the embedded service names them; a channel of the state that the action has too stands beside that.
 */
function usualChannels(available: readonly string[], unlike: readonly string[]): readonly string[] {
	const odd = oddChannels(available, unlike);
	if (odd.length > 0) return odd;
	const actions = available.filter(name => streamOf(name) === 'action');
	const grippers = actions.filter(name => gripper.test(name));
	return (grippers.length > 0 ? grippers : actions).slice(0, grippers.length > 0 ? 2 : 1);
}

/** The channels in which an episode is unlike its siblings, as they are drawn. */
function oddChannels(available: readonly string[], unlike: readonly string[]): readonly string[] {
	const drawn = new Set(choosable(available));
	const odd = unlike.map(name => (drawn.has(name) ? name : asAction(name))).filter(name => drawn.has(name));
	return [...new Set(odd)];
}

/** The channels to choose from: a channel of the state that the action has too is drawn beside it, not as one of its own. */
export function choosable(available: readonly string[]): readonly string[] {
	const names = new Set(available);
	return available.filter(name => !(streamOf(name) === 'state' && names.has(asAction(name))));
}

/** The channel of the state that belongs to one of the action, where there is one. */
export function besideOf(name: string, available: readonly string[]): string | undefined {
	if (streamOf(name) !== 'action') return undefined;
	const beside = `state${name.slice('action'.length)}`;
	return available.includes(beside) ? beside : undefined;
}

function asAction(name: string): string {
	return `action${name.slice('state'.length)}`;
}

/** The chosen channels that this episode has, or the usual ones where it has none of them. */
export function shownChannels(
	chosen: ChosenChannels | undefined,
	{available, unlike}: {readonly available: readonly string[]; readonly unlike: readonly string[]},
): readonly string[] {
	const own = chosen?.channels.filter(name => available.includes(name)) ?? [];
	if (own.length === 0) return usualChannels(available, unlike).slice(0, mostPlots);
	const odd = chosen?.isPinned ? oddChannels(available, unlike) : [];
	return [...new Set([...own, ...odd])].slice(0, mostPlots);
}
