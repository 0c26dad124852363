import {rename, rm, statfs, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {Ffmpeg} from '../ffmpeg/ffmpeg.ts';
import {fileUrl} from '../ffmpeg/run-ffmpeg.ts';
import {type ListedVideo, listPackets} from './list-packets.ts';
import {hasOpenGroups, type SourcePiece, shownTicks} from './plan-pieces.ts';
import {UncutError} from './uncut.ts';

/** A moment in ticks as ffmpeg takes it, in microseconds, never before it: what it seeks is at or before that. */
function secondsAt(tick: number, rate: number): string {
	return (Math.ceil((tick * 1_000_000) / rate) / 1_000_000).toFixed(6);
}

/** Room that a cut needs while it is made: the pieces, what is joined of them, and the same with its index in front. */
const roomFactor = 2.2;

/**
 * Copies pieces of videos of one kind into one file, one behind the other without a gap, not encoding anything anew. What
 * was written is read back: every packet has to be the parents', at its moment.
 *
 * @param folder an empty one, for what is made on the way
 * @param onSpans told how many episodes' spans have been copied, after each step that may have taken a while
 * @throws {FfmpegError | UncutError} and the system's errors; nothing is left in the folder then
 */
export async function joinPieces(
	ffmpeg: Ffmpeg,
	sources: readonly SourcePiece[],
	{folder, target, onSpans}: {folder: string; target: string; onSpans: (copied: number) => void},
): Promise<void> {
	const made: string[] = [];
	const at = (name: string) => {
		const file = path.join(folder, name);
		made.push(file);
		return file;
	};
	const bytes = sources.reduce((sum, {piece}) => sum + piece.bytes, 0);
	const {bavail, bsize} = await statfs(folder);
	if (bytes * roomFactor > bavail * bsize) throw new UncutError('the disk of the lake has no room to cut it');
	let copied = 0;
	try {
		for (const [place, source] of sources.entries()) {
			await copyPiece(ffmpeg, source, at(pieceName(place)));
			copied += source.piece.episodes.length;
			onSpans(copied);
		}
		const list = at('list.txt');
		await writeFile(list, listOf(sources));
		const joined = at('joined.mp4');
		await join(ffmpeg, {list, joined, folder, rate: sources[0]?.video.rate ?? 0, bytes});
		onSpans(copied);
		checkPackets(await listPackets(ffmpeg, joined, bytes), sources);
		onSpans(copied);
		await checkDecoded(ffmpeg, joined, sources, () => onSpans(copied));
		await rename(joined, target);
	} finally {
		for (const file of made) await rm(file, {force: true}).catch(() => undefined);
	}
}

const pieceName = (place: number) => `piece-${place}.mp4`;

function copyPiece(ffmpeg: Ffmpeg, {file, video, piece}: SourcePiece, target: string): Promise<void> {
	const args = [
		...['-seek_timestamp', '1', '-ss', secondsAt(piece.start, video.rate), '-i', fileUrl(file)],
		...['-map', '0:v:0', '-c', 'copy', '-frames:v', String(piece.end - piece.first)],
		...['-video_track_timescale', String(video.rate), '-f', 'mp4', '-y', fileUrl(target)],
	];
	return ffmpeg.run({args, bytes: piece.bytes, files: [file, target]});
}

/** The list that the concat demuxer reads. The lengths are such that their sums, not they, are rounded to microseconds. */
function listOf(sources: readonly SourcePiece[]): string {
	let ticks = 0;
	let told = 0;
	const lines = sources.map(({piece, video}, place) => {
		ticks += piece.stop - piece.start;
		const until = Math.round((ticks * 1_000_000) / video.rate);
		const length = until - told;
		told = until;
		return `file ${pieceName(place)}\nduration ${(length / 1_000_000).toFixed(6)}\n`;
	});
	return `ffconcat version 1.0\n${lines.join('')}`;
}

function join(
	ffmpeg: Ffmpeg,
	{
		list,
		joined,
		folder,
		rate,
		bytes,
	}: Record<'list' | 'joined' | 'folder', string> & {rate: number; bytes: number},
): Promise<void> {
	const args = [
		// By itself it would put parameter sets into the frames of h264, which the parents' have not.
		...['-f', 'concat', '-auto_convert', '0', '-safe', '1', '-i', fileUrl(list)],
		...['-map', '0:v:0', '-c', 'copy', '-video_track_timescale', String(rate)],
		...['-movflags', '+faststart', '-f', 'mp4', '-y', fileUrl(joined)],
	];
	return ffmpeg.run({args, bytes: bytes * 2, files: [list, joined, folder]});
}

/** @throws {UncutError} where a packet is not the parent's, or not where it should be */
function checkPackets(found: ListedVideo, sources: readonly SourcePiece[]): void {
	const differs = (what: string) => new UncutError(`what ffmpeg cut of it does not have the same ${what}`);
	let place = 0;
	let start = 0;
	for (const {video, piece} of sources) {
		if (found.kind !== video.kind || found.rate !== video.rate) throw differs('parameters');
		for (let packet = piece.first; packet < piece.end; packet++, place++) {
			if (
				found.bytes[place] !== video.bytes[packet] ||
				found.sums[place] !== video.sums[packet] ||
				found.keys[place] !== video.keys[packet]
			)
				throw differs('frames');
			if (found.shown[place] !== (video.shown[packet] ?? 0) - piece.start + start) throw differs('times');
		}
		start += piece.stop - piece.start;
	}
	if (place !== found.sums.length) throw differs('number of frames');
}

/** Joints of a file that are looked at, where nothing speaks for looking at all of them. */
const mostJoints = 6;
/** Frames before and behind a joint. */
const framesBefore = 4;
const framesBehind = 8;

/**
 * Decodes the frames around the joints of a file, and the same frames of the parents, each from a key frame before them:
 * packets that are equal decode to equal frames unless one was called a key frame and is none. Where groups are open (a
 * decoder may then lose frames at a joint) all joints are looked at.
 *
 * @throws {UncutError} where they differ
 * @throws {FfmpegError}
 */
async function checkDecoded(
	ffmpeg: Ffmpeg,
	joined: string,
	sources: readonly SourcePiece[],
	onJoint: () => void,
): Promise<void> {
	const isDoubtful = sources.some(({video}) => hasOpenGroups(video));
	const step = isDoubtful ? 1 : Math.max(1, (sources.length - 1) / (mostJoints - 1));
	const starts = startsOf(sources);
	for (let at = 0; Math.round(at) < sources.length; at += step) {
		const place = Math.round(at);
		const [before, behind] = [sources[place - 1], sources[place]];
		if (!behind) break;
		const ends = before ? shownTicks(before).slice(-framesBefore) : [];
		const begins = shownTicks(behind).slice(0, framesBehind);
		const from = (starts[place] ?? 0) - (before && ends[0] !== undefined ? before.piece.stop - ends[0] : 0);
		const {rate} = behind.video;
		const made = await decoded(ffmpeg, {file: joined, tick: from, rate, count: ends.length + begins.length});
		const parents = [
			...(before ? await decoded(ffmpeg, momentOf(before, ends)) : []),
			...(await decoded(ffmpeg, momentOf(behind, begins))),
		];
		if (made.length < ends.length + begins.length || made.join() !== parents.join())
			throw new UncutError('what ffmpeg cut of it is decoded to other frames');
		onJoint();
	}
}

/** When each piece begins in the joined file, in ticks. */
function startsOf(sources: readonly SourcePiece[]): number[] {
	let start = 0;
	return sources.map(({piece}) => {
		const own = start;
		start += piece.stop - piece.start;
		return own;
	});
}

type Moment = {
	readonly file: string;
	readonly tick: number;
	/** Ticks in a second. */
	readonly rate: number;
	readonly count: number;
};

const momentOf = ({file, video}: SourcePiece, ticks: readonly number[]): Moment => ({
	file,
	tick: ticks[0] ?? 0,
	rate: video.rate,
	count: ticks.length,
});

/** Seconds: less than a frame of any camera lasts. */
const earlierBy = 0.001;

/** Sums of the frames from a moment on, decoded from the key frame before it. */
async function decoded(ffmpeg: Ffmpeg, {file, tick, rate, count}: Moment): Promise<string[]> {
	// A little earlier, so that this frame is not taken for one before that moment.
	const seconds = tick / rate - earlierBy;
	const seek = seconds > 0 ? ['-seek_timestamp', '1', '-ss', seconds.toFixed(6)] : [];
	const args = [
		...['-threads', '1', ...seek, '-i', fileUrl(file), '-map', '0:v:0'],
		...['-frames:v', String(count), '-f', 'framemd5', 'pipe:1'],
	];
	const sums: string[] = [];
	await ffmpeg.lines({args, bytes: 0, files: [file]}, line => {
		if (!line.startsWith('#')) sums.push(line.split(',').slice(4).join().trim());
	});
	return sums;
}
