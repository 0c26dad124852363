import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Client} from '../../client/client.ts';
import type {LakeEpisode} from '../../contract/episode.ts';
import {DrawnPictures, encoded, noPictures, type Picture, pictureAt, pictureOfFrame} from './pictures.ts';

export type PicturesKnown = {
	readonly episodeId: string | undefined;
	readonly pictures: readonly Picture[];
	/** More may come. */
	readonly isReading: boolean;
	/** Why there are none at all. */
	readonly problem: string | undefined;
};

const nothing: PicturesKnown = {episodeId: undefined, pictures: [], isReading: false, problem: undefined};

/** Cameras of which pictures are read; robots have fewer. */
const mostCameras = 12;

type PictureWatchOptions = {
	readonly client: Pick<Client, 'episodeFrame' | 'picture'>;
	readonly abilities: () => readonly string[];
};

/** The pictures of the episode whose pictures are opened: read only then, one at a time. */
export class PictureWatch {
	readonly known: StoreApi<PicturesKnown> = createStore<PicturesKnown>(() => nothing);
	/** Those that are shown in pixels. */
	readonly drawn = new DrawnPictures(encoded);
	readonly #options: PictureWatchOptions;
	#reading: AbortController | undefined;

	constructor(options: PictureWatchOptions) {
		this.#options = options;
	}

	/**
	 * Reads the pictures of an episode; those of another are given up.
	 *
	 * @param side the pixels that are wanted of the longer side, where the service scales.
	 */
	show(episode: LakeEpisode, side: number): void {
		if (this.known.getState().episodeId === episode.episode_id) return;
		this.#reading?.abort();
		const reading = new AbortController();
		this.#reading = reading;
		this.known.setState({...nothing, episodeId: episode.episode_id, isReading: true}, true);
		void this.#read(episode, {side, signal: reading.signal});
	}

	/** The pictures are closed. */
	close(): void {
		this.#reading?.abort();
		this.known.setState(nothing, true);
		this.drawn.keep(new Set());
	}

	async #read(episode: LakeEpisode, {side, signal}: {side: number; signal: AbortSignal}): Promise<void> {
		const {thumb_url: address} = episode;
		const hasFrames = this.#options.abilities().includes('frames');
		const notify = (part: Partial<PicturesKnown>) => {
			if (!signal.aborted) this.known.setState(part);
		};
		if (address != null) await this.#readThumbnail(address, signal);
		if (hasFrames) {
			try {
				await this.#readFrames(episode.episode_id, side, signal);
			} catch (error) {
				notify({problem: sentenceOf(error)});
			}
		}
		const isEmpty = this.known.getState().pictures.length === 0;
		const problem = hasFrames ? 'The dataset has no cameras.' : noPictures;
		notify({isReading: false, ...(isEmpty && this.known.getState().problem === undefined && {problem})});
	}

	async #readThumbnail(address: string, signal: AbortSignal): Promise<void> {
		const place = this.#add({of: 'thumbnail', which: 'thumbnail', source: address}, signal);
		try {
			this.#change(place, await pictureAt(this.#options.client, address, signal), signal);
		} catch (error) {
			this.#change(place, {problem: sentenceOf(error)}, signal);
		}
	}

	async #readFrames(episodeId: string, side: number, signal: AbortSignal): Promise<void> {
		const {client} = this.#options;
		const {data: first} = await client.episodeFrame(episodeId, {which: 'first', side}, {signal});
		const cameras = first.cameras.slice(0, mostCameras);
		const wanted = cameras.flatMap(of => (['first', 'last'] as const).map(which => ({of, which})));
		const places = wanted.map(picture => this.#add(picture, signal));
		for (const [at, {of, which}] of wanted.entries()) {
			const place = places[at] ?? 0;
			try {
				const {data} =
					at === 0
						? {data: first}
						: await client.episodeFrame(episodeId, {camera: of, which, side}, {signal});
				this.#change(place, await pictureOfFrame(data, signal), signal);
			} catch (error) {
				if (signal.aborted) return;
				this.#change(place, {problem: sentenceOf(error)}, signal);
			}
		}
	}

	#add(picture: Picture, signal: AbortSignal): number {
		const {pictures} = this.known.getState();
		if (!signal.aborted) this.known.setState({pictures: [...pictures, picture]});
		return pictures.length;
	}

	#change(place: number, part: Partial<Picture>, signal: AbortSignal): void {
		if (signal.aborted) return;
		const {pictures} = this.known.getState();
		this.known.setState({
			pictures: pictures.map((picture, at) => (at === place ? {...picture, ...part} : picture)),
		});
	}
}

function sentenceOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
