import type {Signal} from './channel-aggregates.ts';

/** The figures of each channel of a stream that are taken frame by frame. */
export const channelFigureNames = [
	'low',
	'lowAt',
	'high',
	'highAt',
	'start',
	'end',
	'path',
	'rough',
	'jump',
	'jumpAt',
	'spike',
	'spikeAt',
] as const;
/** The figures of each pair of an action's channel and the state's that follows it. */
export const pairFigureNames = ['offset', 'gain', 'lag', 'rest'] as const;

type ChannelFigureName = (typeof channelFigureNames)[number];
type PairFigureName = (typeof pairFigureNames)[number];

/** A stream of an episode in a few numbers. */
export type StreamProfile = {
	readonly dims: number;
	/** The mean of each channel in each part of equal length, part after part. */
	readonly course: Float32Array;
	/** One number a channel: `path` is Σ|Δ|, `rough` the RMS of Δ², `jump` the greatest |Δ²|, `jumpAt` its frame; `spike` the greatest step that is taken back by another within three frames. */
	readonly figures: {readonly [Name in ChannelFigureName]: Float32Array};
	/** The longest run of frames in which no channel changes. */
	readonly held: number;
	/** The frame where that run begins. */
	readonly heldAt: number;
};

/** An episode in a few numbers, of one size whatever its length: what it is compared with its siblings by. */
export type Profile = {
	readonly frames: number;
	readonly action: StreamProfile | null;
	readonly state: StreamProfile | null;
	/**
	 * One number a pair: the gap, action − state, as offset + gain · (a − mean) + lag · Δa + rest. The offset is in the
	 * robot's units, the gain a share, the lag in frames, the rest an RMS.
	 */
	readonly pairs:
		| ({readonly [Name in PairFigureName]: Float32Array} & {
				/** The action's channel of each pair. */
				readonly channels: Int32Array;
		  })
		| null;
};

export type Stream = 'action' | 'state';

/** Figures of a whole episode that it is compared by besides its profile; NaN for unknown ones. */
export type WholeFigures = {
	readonly seconds: number;
	readonly pause: number;
	readonly droppedFrames: number;
	/** Where most are dropped at once, as a share of the episode. */
	readonly droppedAt: number;
	/** In seconds. */
	readonly cameraSkew: number;
};

/** An episode as it is compared. */
export type ComparedProfile = Profile & {readonly whole: WholeFigures};

/** Channels of action and state that are the same joint, by their places. */
export type ChannelPair = {readonly action: number; readonly state: number};

/** Parts that episodes of some usual length are cut into: four frames each, at least 24 and at most 100. */
export function partsFor(usualFrames: number): number {
	return Math.min(100, Math.max(24, 2 * Math.round(usualFrames / 8)));
}

/** Joints that bear one name in both streams; where none do and both are as wide, each by its place. */
export function pairChannels(action: readonly string[], state: readonly string[]): ChannelPair[] {
	const places = new Map(state.map((name, place) => [name, place]));
	const named = action.flatMap((name, place) => {
		const other = places.get(name);
		return other === undefined ? [] : [{action: place, state: other}];
	});
	if (named.length > 0 || action.length !== state.length) return named;
	return action.map((_, place) => ({action: place, state: place}));
}

/** @returns null for a stream without frames, or with fewer than three */
export function profileEpisode(
	action: Signal | undefined,
	state: Signal | undefined,
	pairs: readonly ChannelPair[],
	parts: number,
): Profile {
	const frames = Math.floor((action ?? state)?.values.length ?? 0) / ((action ?? state)?.dims || 1);
	return {
		frames,
		action: action ? profileStream(action, parts) : null,
		state: state ? profileStream(state, parts) : null,
		pairs: action && state && frames > 2 ? profilePairs(action, state, pairs) : null,
	};
}

function profileStream({values, dims}: Signal, parts: number): StreamProfile | null {
	const frames = values.length / dims;
	if (frames < 3) return null;
	const course = new Float32Array(parts * dims);
	const figures = Object.fromEntries(
		channelFigureNames.map(name => [name, new Float32Array(dims)]),
	) as StreamProfile['figures'];
	const edge = Math.max(1, Math.round(frames / 100));
	const line = lineOf(frames);
	for (let dim = 0; dim < dims; dim++) {
		for (let frame = 0, at = dim; frame < frames; frame++, at += dims) line[frame] = values[at] as number;
		fillCourse(line, frames, parts, course, dims, dim);
		fillFigures(line, frames, figures, dim);
		figures.start[dim] = meanOf(line, 0, edge);
		figures.end[dim] = meanOf(line, frames - edge, frames);
	}
	return {dims, course, figures, ...longestHeld(values, dims, frames)};
}

let buffer = new Float64Array(0);

/** One channel after the other is read from a line of its own: neighbours in memory cost a third. */
function lineOf(frames: number): Float64Array {
	if (buffer.length < frames) buffer = new Float64Array(2 * frames);
	return buffer;
}

function fillFigures(
	line: Float64Array,
	frames: number,
	figures: StreamProfile['figures'],
	dim: number,
): void {
	let before = line[0] as number;
	let value = line[1] as number;
	let low = Math.min(before, value);
	let high = Math.max(before, value);
	let lowAt = value < before ? 1 : 0;
	let highAt = value > before ? 1 : 0;
	let step = value - before;
	let path = Math.abs(step);
	let squares = 0;
	let jump = 0;
	let jumpAt = 0;
	let spike = 0;
	let spikeAt = 0;
	for (let frame = 2; frame < frames; frame++) {
		before = value;
		value = line[frame] as number;
		if (value < low) {
			low = value;
			lowAt = frame;
		} else if (value > high) {
			high = value;
			highAt = frame;
		}
		const next = value - before;
		const bend = next - step;
		step = next;
		path += next < 0 ? -next : next;
		const square = bend * bend;
		squares += square;
		if (square > jump) {
			jump = square;
			jumpAt = frame;
		}
	}
	for (let frame = 1; frame < frames - 3; frame++) {
		const there = (line[frame] as number) - (line[frame - 1] as number);
		const far = there < 0 ? -there : there;
		if (far <= spike) continue;
		for (let later = frame + 1; later <= frame + 3; later++) {
			const back = (line[later] as number) - (line[later - 1] as number);
			const size = Math.min(far, there < 0 ? back : -back);
			if (size <= spike) continue;
			spike = size;
			spikeAt = frame;
		}
	}
	figures.low[dim] = low;
	figures.lowAt[dim] = lowAt;
	figures.high[dim] = high;
	figures.highAt[dim] = highAt;
	figures.path[dim] = path;
	figures.rough[dim] = Math.sqrt(squares / (frames - 2));
	figures.jump[dim] = Math.sqrt(jump);
	figures.jumpAt[dim] = jumpAt;
	figures.spike[dim] = spike;
	figures.spikeAt[dim] = spikeAt;
}

function meanOf(line: Float64Array, from: number, until: number): number {
	let sum = 0;
	for (let frame = from; frame < until; frame++) sum += line[frame] as number;
	return sum / (until - from);
}

/** The mean of each part; an episode with fewer frames than parts is read between its frames. */
function fillCourse(
	line: Float64Array,
	frames: number,
	parts: number,
	course: Float32Array,
	dims: number,
	dim: number,
): void {
	if (frames < 2 * parts) {
		for (let part = 0; part < parts; part++) {
			const at = ((part + 0.5) / parts) * (frames - 1);
			const before = Math.floor(at);
			const low = line[before] as number;
			const high = line[Math.min(frames - 1, before + 1)] as number;
			course[part * dims + dim] = low + (high - low) * (at - before);
		}
		return;
	}
	for (let part = 0, frame = 0; part < parts; part++) {
		const until = Math.floor(((part + 1) * frames) / parts);
		const count = until - frame;
		let sum = 0;
		for (; frame < until; frame++) sum += line[frame] as number;
		course[part * dims + dim] = sum / count;
	}
}

function longestHeld(values: Signal['values'], dims: number, frames: number): {held: number; heldAt: number} {
	let held = 0;
	let heldAt = 0;
	let run = 0;
	for (let frame = 1; frame < frames; frame++) {
		const now = frame * dims;
		let dim = 0;
		while (dim < dims && values[now + dim] === values[now - dims + dim]) dim++;
		run = dim === dims ? run + 1 : 0;
		if (run > held) {
			held = run;
			heldAt = frame - run;
		}
	}
	return {held, heldAt};
}

/** Least squares of the gap on action and speed: what an offset, another scale and a lag each leave in it. */
function profilePairs(
	action: Signal,
	state: Signal,
	pairs: readonly ChannelPair[],
): NonNullable<Profile['pairs']> {
	const frames = Math.min(action.values.length / action.dims, state.values.length / state.dims);
	const figures = {
		...(Object.fromEntries(pairFigureNames.map(name => [name, new Float32Array(pairs.length)])) as {
			readonly [Name in PairFigureName]: Float32Array;
		}),
		channels: Int32Array.from(pairs, pair => pair.action),
	};
	for (const [pair, places] of pairs.entries()) {
		const origin = action.values[places.action] as number;
		let before = origin;
		let sumA = 0;
		let sumV = 0;
		let sumG = 0;
		let aa = 0;
		let av = 0;
		let vv = 0;
		let ag = 0;
		let vg = 0;
		let gg = 0;
		for (let frame = 0, at = places.action, other = places.state; frame < frames; frame++) {
			const value = action.values[at] as number;
			const gap = value - (state.values[other] as number);
			const a = value - origin;
			const v = value - before;
			before = value;
			sumA += a;
			sumV += v;
			sumG += gap;
			aa += a * a;
			av += a * v;
			vv += v * v;
			ag += a * gap;
			vg += v * gap;
			gg += gap * gap;
			at += action.dims;
			other += state.dims;
		}
		// About the means.
		aa -= (sumA * sumA) / frames;
		av -= (sumA * sumV) / frames;
		vv -= (sumV * sumV) / frames;
		ag -= (sumA * sumG) / frames;
		vg -= (sumV * sumG) / frames;
		gg -= (sumG * sumG) / frames;
		const determinant = aa * vv - av * av;
		const solved = determinant > 1e-9 * aa * vv && determinant > 0;
		const gain = solved ? (ag * vv - vg * av) / determinant : 0;
		const lag = solved ? (vg * aa - ag * av) / determinant : 0;
		figures.offset[pair] = sumG / frames;
		figures.gain[pair] = gain;
		figures.lag[pair] = lag;
		figures.rest[pair] = Math.sqrt(Math.max(0, gg - gain * ag - lag * vg) / frames);
	}
	return figures;
}
