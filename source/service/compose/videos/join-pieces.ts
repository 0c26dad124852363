import {rename, rm, statfs, writeFile} from 'node:fs/promises';
import path from 'node:path';
import type {Ffmpeg} from '../../ffmpeg/ffmpeg.ts';
import {fileUrl} from '../../ffmpeg/run-ffmpeg.ts';
import {checkDecoded} from './check-decoded.ts';
import {type ListedVideo, listPackets} from './list-packets.ts';
import type {SourcePiece} from './plan-pieces.ts';
import {UncutError} from './uncut.ts';

/** A moment in ticks as ffmpeg takes it, in microseconds, never before it: what it seeks is at or before that. */
export function secondsAt(tick: number, rate: number): string {
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

/** What the concat demuxer reads. The lengths are such that their sums, not they, are rounded to microseconds. */
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
	const differs = (what: string) => new UncutError(`what ffmpeg cut of it has not the same ${what}`);
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
