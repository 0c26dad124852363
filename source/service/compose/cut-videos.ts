import {mkdir, stat} from 'node:fs/promises';
import path from 'node:path';
import type {FilePlace, VideoNumbers} from '../augmentation/shared-videos.ts';
import type {Ffmpeg} from '../ffmpeg/ffmpeg.ts';
import {FfmpegError} from '../ffmpeg/run-ffmpeg.ts';
import {systemReason} from '../host/start-error.ts';
import {joinPieces} from './join-pieces.ts';
import {listPackets} from './list-packets.ts';
import type {ParentVideos} from './parent-videos.ts';
import {planPieces, type SourcePiece} from './plan-pieces.ts';
import {UncutError} from './uncut.ts';
import type {WantedFile} from './wanted-files.ts';

/** The outcome for video files of which only some episodes were chosen. */
export type CutOutcome = {
	/** Files that were made, and where they are to lie. */
	readonly made: readonly {readonly file: string; readonly camera: string; readonly place: FilePlace}[];
	/** Files taken whole with episodes that were not chosen, and why the first was. */
	readonly whole: number;
	readonly reason: string | undefined;
	/** Why ffmpeg should not be asked anything more: what hangs once does so again. */
	readonly givenUp: string | undefined;
};

type Gathered = SourcePiece & {readonly videos: ParentVideos; readonly relative: string};

type Parts = {
	/** Undefined where there is none. */
	readonly ffmpeg: Ffmpeg | undefined;
	readonly fps: number;
	/** Of one file. */
	readonly mostBytes: number;
	/** For what is made; made and emptied here. */
	readonly folder: string;
	readonly numbers: VideoNumbers;
	/** Told in spans: the part that one episode has of one video. */
	readonly onProgress: (done: number, total: number) => void;
};

/** Cuts videos, camera after camera, and joins what is alike, in the order in which the new dataset has its episodes. */
export class VideoCutter {
	readonly #parts: Parts;
	readonly #made: CutOutcome['made'][number][] = [];
	#gathered: Gathered[] = [];
	#uncut: {file: string; reason: string}[] = [];
	#ffmpeg: Ffmpeg | undefined;
	/** Spans that were dealt with, of those that are to be cut. */
	#done = 0;
	#total = 0;
	#givenUp = 'ffmpeg is not on the path of the service';

	constructor(parts: Parts) {
		this.#parts = parts;
		this.#ffmpeg = parts.ffmpeg;
	}

	/** @param files of one camera after the other */
	async cut(files: readonly WantedFile[]): Promise<CutOutcome> {
		await mkdir(this.#parts.folder, {recursive: true, mode: 0o700});
		const cuttable = this.#ffmpeg ? files.filter(({isPart}) => isPart) : [];
		this.#total = cuttable.reduce((sum, {parts}) => sum + parts.length, 0);
		this.#notify(0);
		let camera: string | undefined;
		for (const file of files) {
			if (camera !== file.camera) await this.#close(camera);
			camera = file.camera;
			const pieces = file.isPart ? await this.#piecesOf(file) : undefined;
			if (pieces) {
				for (const piece of pieces) await this.#gather(camera, piece);
			} else {
				await this.#close(camera);
				file.videos.whole.place(camera, file.relative);
				if (file.isPart) this.#done += file.parts.length;
			}
			this.#notify(0);
		}
		await this.#close(camera);
		const uncut = new Map(this.#uncut.map(({file, reason}) => [file, reason]));
		const givenUp = this.#ffmpeg ? undefined : this.#givenUp;
		return {made: this.#made, whole: uncut.size, reason: this.#uncut[0]?.reason, givenUp};
	}

	/** @param further spans beyond those that are done */
	#notify(further: number): void {
		if (this.#total > 0) this.#parts.onProgress(this.#done + further, this.#total);
	}

	/** @returns undefined for a file that is taken whole */
	async #piecesOf({file, parts, relative, videos}: WantedFile): Promise<Gathered[] | undefined> {
		// A missing file is neither cut nor whole.
		if (file === undefined) return undefined;
		try {
			if (!this.#ffmpeg) throw new UncutError(this.#givenUp);
			const video = await listPackets(this.#ffmpeg, file, (await stat(file)).size);
			const {fps, mostBytes} = this.#parts;
			return planPieces(video, parts, fps, mostBytes).map(piece => ({file, video, piece, videos, relative}));
		} catch (error) {
			this.#takeWhole(file, error);
			return undefined;
		}
	}

	async #gather(camera: string, piece: Gathered): Promise<void> {
		const [first] = this.#gathered;
		const bytes = this.#gathered.reduce((sum, each) => sum + each.piece.bytes, piece.piece.bytes);
		const isAlike = first?.video.kind === piece.video.kind && first.video.rate === piece.video.rate;
		if (first && !(isAlike && bytes <= this.#parts.mostBytes)) await this.#close(camera);
		this.#gathered.push(piece);
	}

	/** Makes one file of what was gathered. */
	async #close(camera: string | undefined): Promise<void> {
		const gathered = this.#gathered;
		this.#gathered = [];
		if (camera === undefined || gathered.length === 0) return;
		const {folder, numbers} = this.#parts;
		const target = path.join(folder, `cut-${this.#made.length}.mp4`);
		try {
			if (!this.#ffmpeg) throw new UncutError(this.#givenUp);
			await joinPieces(this.#ffmpeg, gathered, {folder, target, onSpans: copied => this.#notify(copied)});
		} catch (error) {
			for (const {file, relative, videos} of gathered) {
				this.#takeWhole(file, error);
				videos.whole.place(camera, relative);
			}
			return;
		} finally {
			this.#done += gathered.reduce((sum, {piece}) => sum + piece.episodes.length, 0);
		}
		const place = numbers.next(camera);
		this.#made.push({file: target, camera, place});
		let start = 0;
		for (const {piece, video, videos} of gathered) {
			const later = (start - piece.start) / video.rate;
			for (const episode of piece.episodes) videos.wasCut(camera, episode, {...place, later});
			start += piece.stop - piece.start;
		}
	}

	#takeWhole(file: string, error: unknown): void {
		const reason = reasonFor(error);
		this.#uncut.push({file, reason});
		// A timeout or a full disk would only repeat.
		const isHopeless = error instanceof FfmpegError && error.kind !== 'failed';
		if (isHopeless || (error as NodeJS.ErrnoException).code === 'ENOSPC') {
			this.#givenUp = reason;
			this.#ffmpeg = undefined;
		}
	}
}

function reasonFor(error: unknown): string {
	if (error instanceof UncutError) return error.message;
	if (!(error instanceof FfmpegError)) return systemReason(error);
	return error.kind === 'failed' ? `ffmpeg cannot cut it: ${error.message}` : error.message;
}
