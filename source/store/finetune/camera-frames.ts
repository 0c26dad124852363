import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {frameSides} from '../../contract/local-frames.ts';
import {isDatasetId} from '../../query/filter.ts';
import {
	DrawnPictures,
	encoded,
	noPictures,
	type Picture,
	pictureAt,
	pictureOfFrame,
} from '../pictures/pictures.ts';
import {DebouncedQuery} from '../queries/debounced.ts';
import type {Selection} from '../selection/selection.ts';

/** A camera of a dataset. */
export type CameraWanted = {readonly datasetId: string; readonly camera: string};

/** The picture of the camera at the cursor; no picture yet while it waits for its turn. */
export type CameraFrameKnown = {
	readonly wanted: CameraWanted | undefined;
	readonly picture: Picture | undefined;
	/** A picture was shown: the next one is given as much room before it is there. */
	readonly hasShown: boolean;
	/** True if frames are wanted; undefined until the user decides. */
	readonly isOn: boolean | undefined;
};

/** A cursor that rests this long is looked into; a slot that is walked past is not. */
const restMs = 150;

/** Pictures that are kept for coming back to: one of 640 × 480 pixels is a megabyte. */
const mostKept = 6;

type CameraFramesOptions = {
	readonly client: Pick<Client, 'explore' | 'episodeFrame' | 'picture'>;
	readonly selection: () => Selection;
	readonly can: (ability: string, signal: AbortSignal) => Promise<boolean>;
};

const isSame = (a: CameraWanted | undefined, b: CameraWanted | undefined) =>
	a?.datasetId === b?.datasetId && a?.camera === b?.camera;

/** The first frame of a camera in an episode of a dataset, while that camera is at the cursor; one is read at a time. */
export class CameraFrames {
	readonly known: StoreApi<CameraFrameKnown> = createStore<CameraFrameKnown>(() => ({
		wanted: undefined,
		picture: undefined,
		hasShown: false,
		isOn: undefined,
	}));
	/** That which is shown in pixels. */
	readonly drawn = new DrawnPictures(encoded);
	readonly #options: CameraFramesOptions;
	readonly #kept = new Map<string, Picture>();
	readonly #reading = new DebouncedQuery({restMs});

	constructor(options: CameraFramesOptions) {
		this.#options = options;
	}

	/**
	 * Looks at a camera, or at none; what was being read of another is given up.
	 *
	 * @param side the pixels that are wanted of the longer side, where the service scales.
	 */
	look(wanted: CameraWanted | undefined, side: number = frameSides.default): void {
		if (isSame(wanted, this.known.getState().wanted)) return;
		this.#reading.drop();
		const kept = wanted && this.#kept.get(keyOf(wanted));
		this.known.setState({wanted});
		this.#show(kept);
		if (wanted === undefined || kept !== undefined) return;
		this.#reading.want(signal => this.#read(wanted, side, signal));
	}

	setOn(isOn: boolean): void {
		this.known.setState({isOn});
	}

	/** The form is closed: the next time, frames are read anew. */
	forget(): void {
		this.look(undefined);
		this.#kept.clear();
		this.known.setState({hasShown: false});
	}

	#show(picture: Picture | undefined): void {
		this.known.setState(({hasShown}) => ({
			picture,
			hasShown: hasShown || picture?.pixels !== undefined,
		}));
	}

	async #read(wanted: CameraWanted, side: number, signal: AbortSignal): Promise<void> {
		const notify = (picture: Picture) => {
			if (!signal.aborted) this.#show(picture);
		};
		const about = {of: wanted.camera, which: 'first'} as const;
		notify(about);
		try {
			const picture = {...about, ...(await this.#pictureOf(wanted, side, signal))};
			if (this.#kept.size >= mostKept) this.#kept.clear();
			this.#kept.set(keyOf(wanted), picture);
			notify(picture);
		} catch (error) {
			// Looked at again, it is read again.
			notify({...about, problem: error instanceof Error ? error.message : String(error)});
		}
	}

	async #pictureOf(
		{datasetId, camera}: CameraWanted,
		side: number,
		signal: AbortSignal,
	): Promise<Partial<Picture>> {
		const {client, can} = this.#options;
		const episode = await this.#episodeOf(datasetId, signal);
		if (episode === undefined) return {problem: 'The lake has no episode of this dataset.'};
		if (await can('frames', signal)) {
			const {data} = await client.episodeFrame(episode.episode_id, {camera, which: 'first', side}, {signal});
			return pictureOfFrame(data, signal);
		}
		const {thumb_url: address} = episode;
		if (address == null) return {problem: noPictures};
		// Its camera is not known.
		const shown = await pictureAt(client, address, signal);
		return {...shown, of: 'thumbnail of an episode, its camera not known', which: 'thumbnail'};
	}

	/** An episode of the dataset: one that is selected, where there is one. */
	async #episodeOf(datasetId: string, signal: AbortSignal): Promise<LakeEpisode | undefined> {
		if (!isDatasetId(datasetId)) return undefined;
		const {client, selection} = this.#options;
		const chosen = selection();
		const first = async (question: Parameters<typeof client.explore>[0]) => {
			const {data} = await client.explore({...question, dataset_ids: [datasetId], limit: 1}, {signal});
			return data.episodes[0];
		};
		if (chosen.by === 'hand') {
			for (const episode of chosen.picked.values()) if (episode.dataset_id === datasetId) return episode;
		} else {
			const {question} = chosen;
			const isOfIt = question.dataset_ids?.includes(datasetId) ?? true;
			const found = isOfIt ? await first(question) : undefined;
			if (found !== undefined) return found;
		}
		return first({});
	}
}

const keyOf = ({datasetId, camera}: CameraWanted) => JSON.stringify([datasetId, camera]);
