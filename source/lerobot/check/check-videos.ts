import {locate} from '../layout.ts';
import {farthestFromGrid, frameRate, type Mp4Header, readMp4Header} from '../mp4-header.ts';
import {toleranceSeconds} from './check-frames.ts';
import type {ReportDamage} from './damage.ts';
import type {DatasetFacts} from './dataset-facts.ts';
import type {FrameFacts} from './frame-facts.ts';
import {figure, frameCount} from './words.ts';

/** Beyond it, 32-bit floats lie further apart than `tolerance_s`. */
const latePosition = 1024;

/** An episode in a video file. */
type Span = {
	readonly episode: number;
	readonly frames: number;
	readonly from: number | undefined;
	readonly to: number | undefined;
	/** Made by lakescope of an episode of another dataset: a cut begins at a key frame, and a trim cuts no file. */
	readonly isTaken: boolean;
};

type Placed = Span & {readonly from: number; readonly to: number};

/** A video file that episodes name. */
type Video = {
	readonly key: string;
	readonly file: string;
	readonly spans: readonly Span[];
	/** Frames of its episodes. */
	readonly wanted: number;
	/** Frames before and between the episodes, which LeRobot never shows: it looks a frame up by its episode's span. */
	readonly skipped: number;
	readonly header: Mp4Header | undefined;
};

/** Where episodes lie in videos, compared with the headers of the files; nothing is decoded. */
export async function checkVideos(
	facts: DatasetFacts,
	frames: FrameFacts,
	report: ReportDamage,
): Promise<void> {
	const lengths = new Map<number, number>();
	for (const {episode, rows} of frames.episodes) lengths.set(episode, (lengths.get(episode) ?? 0) + rows);
	for (const key of facts.videos) {
		const videos = await videosOf(facts, key, lengths, report);
		for (const video of videos) {
			checkSpans(video, facts.info.fps, report);
			checkHeader(video, facts, report);
		}
		checkCounts(videos, report);
	}
}

async function videosOf(
	{root, info, episodes, listedIn}: DatasetFacts,
	key: string,
	lengths: ReadonlyMap<number, number>,
	report: ReportDamage,
): Promise<Video[]> {
	const spans = new Map<string, Span[]>();
	const unlisted: number[] = [];
	for (const row of episodes) {
		const video = row.videos.find(one => one.key === key);
		if (!video?.file) {
			unlisted.push(row.episode);
			continue;
		}
		const frames = lengths.get(row.episode) ?? row.length ?? 0;
		const span = {
			episode: row.episode,
			frames,
			from: video.from,
			to: video.to,
			isTaken: row.isTaken,
		};
		const others = spans.get(video.file);
		if (others) others.push(span);
		else spans.set(video.file, [span]);
	}
	if (unlisted.length > 0) {
		const message = `${unlisted.length} episodes do not say where their video of "${key}" is.`;
		report({
			id: 'video-unlisted',
			file: episodes[0]?.file ?? listedIn,
			episodes: unlisted,
			subject: key,
			message,
		});
	}
	const videos: Video[] = [];
	const missing: {file: string; episodes: number[]}[] = [];
	for (const [file, of] of [...spans].sort(([a], [b]) => (a < b ? -1 : 1))) {
		const located = await locate(root, file);
		const numbers = of.map(({episode}) => episode).sort((a, b) => a - b);
		let header: Mp4Header | undefined;
		if (!located.found) missing.push({file, episodes: numbers});
		else {
			header = await readMp4Header(located.path).catch(error => {
				const message = `${file} ${(error as Error).message}.`;
				report({id: 'video-unreadable', file, episodes: numbers, subject: key, message});
				return undefined;
			});
		}
		const wanted = of.reduce((sum, {frames}) => sum + frames, 0);
		videos.push({key, file, spans: of, wanted, skipped: skippedFrames(of, info.fps), header});
	}
	const [first] = missing;
	if (first) {
		const all = missing.length > 1 ? `, and ${missing.length - 1} more of "${key}"` : '';
		const numbers = missing.flatMap(({episodes: of}) => of).sort((a, b) => a - b);
		const message = `${first.file} is missing${all}.`;
		report({id: 'video-missing', file: first.file, episodes: numbers, subject: key, message});
	}
	return videos;
}

const placedSpans = (spans: readonly Span[]) =>
	spans.filter((span): span is Placed => span.from !== undefined && span.to !== undefined);

/** Frames of a file before the first span and between the spans. */
function skippedFrames(spans: readonly Span[], fps: number): number {
	let end = 0;
	let skipped = 0;
	for (const {from, to} of placedSpans(spans).sort((a, b) => a.from - b.from)) {
		skipped += Math.max(0, Math.round((from - end) * fps));
		end = Math.max(end, to);
	}
	return skipped;
}

/** The spans of the episodes of a file, compared with each other and with their frames. */
function checkSpans({key, file, spans, header}: Video, fps: number, report: ReportDamage): void {
	const half = 0.5 / fps;
	const placed = placedSpans(spans);
	const say = (
		id: Parameters<ReportDamage>[0]['id'],
		of: readonly (Span & {from: number})[],
		what: (first: Span & {from: number}) => string,
	) => {
		const [first] = of;
		if (!first) return;
		const more = of.length > 1 ? `; ${of.length - 1} more in this file` : '';
		const episodes = of.map(({episode}) => episode).sort((a, b) => a - b);
		const message = `Episode ${first.episode} of "${key}" ${what(first)}${more}.`;
		report({id, file, episodes, seconds: first.from, subject: key, message});
	};
	const end = header && Math.max(header.trackSeconds, header.frames / fps);
	say(
		'video-span-past-end',
		placed.filter(({to}) => end !== undefined && to > end + half),
		first => `ends at ${figure(first.to ?? 0)} s, and the file at ${figure(end ?? 0)} s`,
	);
	say(
		'video-span-length',
		placed.filter(({from, to, frames}) => Math.abs(to - from - frames / fps) > half),
		first =>
			`lasts ${figure((first.to ?? 0) - first.from)} s in the video, and has ${frameCount(first.frames)} (${figure(first.frames / fps)} s)`,
	);
	say(
		'video-span-off-grid',
		placed.filter(({from}) => {
			const off = Math.abs(from - Math.round(from * fps) / fps);
			return off > toleranceSeconds && off <= half;
		}),
		first => `begins at ${figure(first.from)} s, between two frames`,
	);
	say(
		'video-late-position',
		placed.filter(({to}) => to > latePosition),
		first => `lies at ${figure(first.from)} s of the file`,
	);
	const sorted = [...placed].sort((a, b) => a.from - b.from || a.to - b.to);
	say(
		'video-spans-overlap',
		sorted.filter((span, at) => span.from < (sorted[at - 1]?.to ?? 0) - half),
		first => `begins at ${figure(first.from)} s, before the episode ahead of it ends`,
	);
	say(
		'video-spans-apart',
		sorted.filter((span, at) => !span.isTaken && span.from > (sorted[at - 1]?.to ?? 0) + half),
		first => `begins at ${figure(first.from)} s, and nothing lies before it from where the last one ends`,
	);
}

function checkHeader({key, file, spans, header}: Video, {info}: DatasetFacts, report: ReportDamage): void {
	const feature = info.features[key];
	if (!header || !feature) return;
	const episodes = spans.map(({episode}) => episode).sort((a, b) => a - b);
	const about = {file, episodes, subject: key};
	const names = Array.isArray(feature.names) ? feature.names : [];
	const isLast =
		names.length === 0 ? [1, 3].includes(feature.shape[2] ?? 0) : /^channels?$/.test(String(names[2]));
	const [height, width] = isLast ? feature.shape : feature.shape.slice(1);
	if (feature.shape.length === 3 && (height !== header.height || width !== header.width)) {
		const message = `${file} is ${header.width} × ${header.height}, and "${key}" is declared as ${width} × ${height}.`;
		report({...about, id: 'camera-shape-differs', message});
	}
	const details = (feature as {info?: Record<string, unknown>}).info;
	const codec = details?.['video.codec'];
	if (
		typeof codec === 'string' &&
		/^[a-z]/.test(header.codec) &&
		codec !== header.codec &&
		!codec.includes(header.codec)
	) {
		const message = `${file} is ${header.codec}, and "${key}" is declared as ${codec}.`;
		report({...about, id: 'video-codec-differs', message});
	}
	const rate = frameRate(header);
	if (header.frames > 1 && Math.abs(rate - info.fps) > info.fps * 1e-3) {
		const message = `${file} has ${figure(rate)} frames a second, and the dataset ${info.fps}.`;
		report({...about, id: 'video-rate-differs', message});
		return;
	}
	const {seconds, frame} = farthestFromGrid(header, info.fps);
	if (seconds <= toleranceSeconds + 0.5 / header.timescale) return;
	const message = `Frame ${frame} of ${file} lies ${figure(seconds * 1000)} ms from where it should.`;
	report({...about, id: 'video-rate-varies', seconds: frame / info.fps, message});
}

/** Frames that files have, compared with those that their episodes reach: files may be each other's. */
function checkCounts(videos: readonly Video[], report: ReportDamage): void {
	const known = videos.flatMap(video =>
		video.header ? [{...video, has: video.header.frames, reached: video.wanted + video.skipped}] : [],
	);
	let off = known.filter(({has, reached}) => has !== reached);
	const numbers = (of: readonly Video[]) =>
		of.flatMap(({spans}) => spans.map(({episode}) => episode)).sort((a, b) => a - b);
	// A file with more than its episodes reach is as meant in a dataset that was trimmed, unless another has less.
	const isMeant = ({has, reached, spans}: Counted) => has > reached && spans.every(({isTaken}) => isTaken);
	if (off.every(isMeant)) return;
	const shift = shiftOf(known, off);
	const [moved] = off;
	if (shift !== 0 && moved) {
		const by = Math.abs(shift) === 1 ? 'one place' : `${Math.abs(shift)} places`;
		const message = `From ${moved.file} on, files of "${moved.key}" have the frames of the ${shift > 0 ? 'next' : 'file before'}: they are ${by} off.`;
		report({id: 'videos-shifted', file: moved.file, episodes: numbers(off), subject: moved.key, message});
		return;
	}
	for (let pair = swapIn(off); pair; pair = swapIn(off)) {
		const [one, other] = pair;
		const message = `${one.file} and ${other.file} have each other's number of frames, ${one.has} and ${other.has}.`;
		report({id: 'videos-swapped', file: one.file, episodes: numbers(pair), subject: one.key, message});
		off = off.filter(video => video !== one && video !== other);
	}
	for (const video of off) {
		const {file, has, reached, wanted, skipped, key} = video;
		// Frames enough, and a span past the end, which is reported as that.
		if (isMeant(video) || (has >= wanted && has <= reached)) continue;
		const id = has < wanted ? 'video-frames-missing' : 'video-frames-extra';
		const besides = skipped > 0 ? `, with ${skipped} before or between them` : '';
		const message = `${file} has ${frameCount(has)}, and its episodes ${wanted}${besides}.`;
		report({id, file, episodes: numbers([video]), subject: key, message});
	}
}

type Counted = Video & {readonly has: number; readonly reached: number};

function swapIn(off: readonly Counted[]): readonly [Counted, Counted] | undefined {
	for (const [at, one] of off.entries()) {
		const fitting = off.slice(at + 1).filter(other => one.has === other.reached && other.has === one.reached);
		if (fitting.length === 1 && fitting[0]) return [one, fitting[0]];
	}
	return undefined;
}

/** By how many places files are off so that each has the frames of another; 0 where none fits. */
function shiftOf(known: readonly Counted[], off: readonly Counted[]): number {
	if (off.length < 3) return 0;
	const first = known.indexOf(off[0] as Counted);
	const last = known.indexOf(off.at(-1) as Counted);
	for (const by of [1, -1, 2, -2, 3, -3]) {
		let fitting = 0;
		let failing = 0;
		for (let at = first; at <= last; at++) {
			const other = known[at + by];
			// At the end that files were moved from there is none to compare with.
			if (!other || at + by < first || at + by > last) continue;
			if (known[at]?.has === other.reached) fitting++;
			else failing++;
		}
		if (failing === 0 && fitting >= 2) return by;
	}
	return 0;
}
