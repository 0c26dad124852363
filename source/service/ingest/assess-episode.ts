import type {Tier} from '../../contract/vocabulary.ts';
import type {EpisodeListing} from '../../lerobot/episode-listing.ts';
import type {WantedFeature} from '../../lerobot/read-data-columns.ts';
import type {EpisodeFrames} from '../../lerobot/read-data-file.ts';
import type {MeasuredEpisode} from '../../motion/episode-metrics.ts';

/** The remarks on an episode besides its figures. Every entry is the end of "Episode N: …". */
export type Assessment = {
	readonly tier: Tier | null;
	/** Why it is not whole, or why that cannot be told. */
	readonly tierReasons: readonly string[];
	/** The faults that are this episode's alone; the others are its file's or its dataset's. */
	readonly faults: readonly string[];
	/** Those of them that make it unfit, without what merely cannot be told. */
	readonly broken: readonly string[];
	/** Oddities that leave the episode whole. */
	readonly notes: readonly string[];
};

type Read = {
	readonly frames: EpisodeFrames;
	readonly listing: EpisodeListing | undefined;
	readonly wanted: readonly WantedFeature[];
	readonly measured: MeasuredEpisode;
	readonly fps: number;
};

/**
 * The tier of an episode: `retrainable` where all its frames are there, action and state are present
 * in each, and the action moves; `analyze_only` where not; null where nothing says how many frames there should be.
 */
export function assessEpisode(read: Read): Assessment {
	const {listing} = read;
	const shared = missingStreams(read);
	const broken = [...frameFaults(read), ...valueFaults(read)];
	const unfit = [...shared, ...broken];
	const untold = listing?.length === undefined ? [unlisted(listing)] : [];
	const tier = unfit.length > 0 ? 'analyze_only' : untold.length > 0 ? null : 'retrainable';
	return {
		tier,
		tierReasons: [...unfit, ...untold],
		faults: [...broken, ...untold],
		broken,
		notes: oddities(read),
	};
}

function unlisted(listing: EpisodeListing | undefined): string {
	return listing
		? 'the metadata gives no length, so whether all its frames are here cannot be told'
		: 'the metadata does not list it, so whether all its frames are here cannot be told';
}

function missingStreams({frames, wanted}: Read): string[] {
	return (['action', 'state'] as const)
		.filter(stream => {
			const place = wanted.findIndex(feature => feature.stream === stream);
			return frames.signals[place] === undefined;
		})
		.map(stream => `it has no ${stream}`);
}

function frameFaults({frames, listing}: Read): string[] {
	const faults: string[] = [];
	if (listing?.length !== frames.frames) {
		if (listing?.length !== undefined) {
			faults.push(`it has ${frames.frames} frames where the metadata says ${listing.length}`);
		}
		if (frames.cutOff) faults.push('its file cannot be read further');
	}
	if (frames.frameOrder) faults.push(frames.frameOrder);
	return faults;
}

function valueFaults({frames, wanted, measured}: Read): string[] {
	const faults: string[] = [];
	for (const [place, {feature, stream}] of wanted.entries()) {
		if (stream === 'telemetry' || !frames.signals[place]) continue;
		const misshapen = frames.misshapen[place] ?? 0;
		if (misshapen > 0) {
			faults.push(`${misshapen} of its frames hold no ${feature.dims} values of "${feature.key}"`);
		} else if (!measured[stream]?.finite) {
			faults.push(`its "${feature.key}" holds NaN, infinite or empty values`);
		}
	}
	const {action_dims, frozen_action_dims} = measured.metrics;
	if (action_dims !== null && frozen_action_dims === action_dims) {
		faults.push(`never moves: ${frozen_action_dims} of ${action_dims} dims frozen`);
	}
	return faults;
}

function oddities({frames, listing, wanted, measured, fps}: Read): string[] {
	const notes: string[] = [];
	if (frames.indexOrder) notes.push(frames.indexOrder);
	if (listing?.fromIndex !== undefined && frames.firstIndex !== undefined) {
		if (frames.firstIndex !== listing.fromIndex) {
			notes.push(`its index begins at ${frames.firstIndex} where the metadata says ${listing.fromIndex}`);
		}
	}
	const telemetry = wanted.filter(({stream}) => stream === 'telemetry');
	for (const [place, aggregates] of measured.telemetry.entries()) {
		if (aggregates && !aggregates.finite) {
			notes.push(`its "${telemetry[place]?.feature.key}" holds NaN, infinite or empty values`);
		}
	}
	// An episode that lost frames has spans that fit its length as it was: that is no fault of the cameras.
	const duration = (listing?.length ?? frames.frames) / fps;
	for (const {key, from, to} of listing?.videos ?? []) {
		if (from === undefined || to === undefined) continue;
		if (Math.abs(to - from - duration) * fps > 1.001) {
			notes.push(`camera "${key}" spans ${seconds(to - from)}, the episode ${seconds(duration)}`);
		}
	}
	return notes;
}

function seconds(value: number): string {
	return `${Number(value.toFixed(3))} s`;
}
