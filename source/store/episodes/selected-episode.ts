import type {StoreApi} from 'zustand/vanilla';
import type {LakeEpisode} from '../../contract/episode.ts';
import type {Result} from '../queries/explore-result.ts';
import {settled} from '../state/list-location.ts';
import {moved} from '../state/transitions.ts';
import type {Transition, UserState} from '../state/user-state.ts';
import type {EpisodeWindow} from './episode-window.ts';
import type {EvidenceWatch} from './evidence-watch.ts';

type SelectedEpisodeOptions = {
	readonly state: StoreApi<UserState>;
	readonly window: Pick<EpisodeWindow, 'result'>;
	readonly evidence: Pick<EvidenceWatch, 'select'>;
	readonly update: (change: Transition<UserState>) => void;
};

/** The episode under the cursor, which stays there when rows come or go, and what depends on which it is. */
export class SelectedEpisode {
	readonly #options: SelectedEpisodeOptions;
	#id: string | undefined;

	constructor(options: SelectedEpisodeOptions) {
		this.#options = options;
		options.state.subscribe(() => this.#settle());
		options.window.result.subscribe((result, before) => {
			this.#follow(result, before);
			this.#settle();
		});
	}

	/** Undefined while it is not read. */
	get(): LakeEpisode | undefined {
		const {state, window} = this.#options;
		const {rowCount, row} = window.result.getState();
		const {selected} = settled(state.getState().position, {count: rowCount, height: 1});
		const found = row(selected);
		return typeof found === 'object' ? found : undefined;
	}

	/** Another list is asked for: what was selected is not looked for in it. */
	forget(): void {
		this.#id = undefined;
	}

	#settle(): void {
		const {window, evidence} = this.#options;
		const episode = this.get();
		this.#id = episode?.episode_id;
		evidence.select(episode, window.result.getState().question);
	}

	/** Rows that came or went above the selected episode do not take it from under the user's eyes. */
	#follow(result: Result, before: Result): void {
		if (result.question !== before.question || result.isPrevious || this.#id === undefined) return;
		const {state, update} = this.#options;
		const {selected, offset} = state.getState().position;
		const place = findNearby(result, this.#id, selected);
		if (place === undefined || place === selected || selected === 0) return;
		update(moved(() => ({selected: place, offset: Math.max(0, offset + place - selected)})));
	}
}

/** How far from where it was an episode is looked for. */
const nearby = 400;

/** The row of an episode that stood at `from`; undefined where it is not near that any more. */
export function findNearby({row, rowCount}: Result, episodeId: string, from: number): number | undefined {
	for (let distance = 0; distance <= nearby; distance++) {
		for (const place of [from - distance, from + distance]) {
			if (place < 0 || place >= rowCount) continue;
			const found = row(place);
			if (typeof found === 'object' && found.episode_id === episodeId) return place;
		}
	}
	return undefined;
}
