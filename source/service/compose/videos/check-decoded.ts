import type {Ffmpeg} from '../../ffmpeg/ffmpeg.ts';
import {fileUrl} from '../../ffmpeg/run-ffmpeg.ts';
import {hasOpenGroups, type SourcePiece, shownTicks} from './plan-pieces.ts';
import {UncutError} from './uncut.ts';

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
export async function checkDecoded(
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
