import {Aligner} from './align.ts';
import type {DeviationKind, Deviations} from './deviations.ts';
import {findModes, type Mode, spaced} from './modes.ts';
import {principalDirections, withoutDirections} from './principal.ts';
import type {ChannelPair, ComparedProfile, Profile, Stream} from './profile.ts';
import {scatterOf, tailedScatterOf} from './robust.ts';
import type {Scales} from './scales.ts';

type Courses = {
	readonly profiles: readonly ComparedProfile[];
	readonly dims: Record<Stream, number>;
	readonly scales: Record<Stream, Scales>;
	readonly pairs: readonly ChannelPair[];
	readonly parts: number;
	/** Episodes that templates are made of. */
	readonly sample: readonly number[];
};

/** The ways in which a group does its task, to set an episode of another beside them. */
export type GroupTemplate = {
	readonly stream: Stream;
	readonly modes: readonly Mode[];
	/** How far a course is from the nearest way, in what its own episodes usually are. */
	readonly distance: (course: Float32Array) => number;
};

/** Channels that are aligned by: those that the phase tells most of. */
const mostAligned = 12;

/** The gap of an idle joint is measured by so many times its scale: nothing makes it follow. */
const idleGap = 5;

/** Of a way with fewer episodes nothing is told. */
const fewestMembers = 4;

/** Sets the courses of a group beside each other, phase by phase: where each joint is, where its follower, and when. */
export function compareCourses(
	courses: Courses,
	begin: (kind: DeviationKind) => Deviations,
): GroupTemplate | undefined {
	const {profiles, dims, scales, pairs, parts, sample} = courses;
	const stream: Stream = dims.action > 0 ? 'action' : 'state';
	const width = dims[stream];
	const {isIdle, told, scale} = scales[stream];
	const used = Array.from({length: width}, (_, channel) => channel)
		.filter(channel => !isIdle[channel] && Number.isFinite(told[channel]))
		.sort((a, b) => (told[b] as number) - (told[a] as number))
		.slice(0, mostAligned);
	const kinds = {
		course: {
			local: begin('course'),
			whole: begin('whole-course'),
			localRest: begin('course-rest'),
			wholeRest: begin('whole-course-rest'),
		},
		gap: {
			local: begin('gap'),
			whole: begin('whole-gap'),
			localRest: begin('gap-rest'),
			wholeRest: begin('whole-gap-rest'),
		},
		pace: begin('pace'),
		phase: begin('phase'),
	};
	const shown = sample.flatMap(at => profiles[at]?.[stream]?.course ?? []);
	if (used.length === 0 || shown.length < fewestMembers) return undefined;
	const aligner = new Aligner(parts, width, used, scale);
	const modes = findModes(aligner, shown);
	const {modeOf, warps} = warpAll(profiles, stream, aligner, modes, parts);
	for (let mode = 0; mode < modes.length; mode++) {
		const members = [...modeOf.keys()].filter(at => modeOf[at] === mode);
		if (members.length < fewestMembers) continue;
		const some = spaced(members.length, sample.length).map(at => members[at] as number);
		const clock: Clock = {warps, parts, cells: parts >> 1};
		judgeField(
			{members, some, width, scale, floor: 0.015, clock, into: kinds.course},
			(at, values) => courseField(profiles[at] as Profile, stream, width, clock, at, values),
			channel => channel,
		);
		if (pairs.length > 0) {
			const lags = pairs.map(
				(_, pair) =>
					scatterOf(Float64Array.from(some, at => profiles[at]?.pairs?.lag[pair] ?? Number.NaN)).median || 0,
			);
			const units = Float64Array.from(
				pairs,
				({action}) => (scales.action.scale[action] as number) * (scales.action.isIdle[action] ? idleGap : 1),
			);
			judgeField(
				{members, some, width: pairs.length, scale: units, floor: 0.004, clock, into: kinds.gap},
				(at, values) => gapField(profiles[at] as Profile, pairs, lags, clock, at, values),
				pair => pairs[pair]?.action ?? -1,
			);
		}
		judgePhase(members, some, clock, kinds.phase);
		judgePace(members, profiles, clock, kinds.pace);
	}
	const distance = (course: Float32Array) =>
		Math.min(...modes.map(({template, usual}) => aligner.distance(course, template) / (usual || 1)));
	return {stream, modes, distance};
}

/** Each episode on the clock of the way that it is nearest to. */
function warpAll(
	profiles: readonly ComparedProfile[],
	stream: Stream,
	aligner: Aligner,
	modes: readonly Mode[],
	parts: number,
): {modeOf: Int32Array; warps: Float32Array[]} {
	const modeOf = new Int32Array(profiles.length).fill(-1);
	const warps: Float32Array[] = [];
	const places = new Float64Array(parts);
	for (const [at, profile] of profiles.entries()) {
		const course = profile[stream]?.course;
		if (!course) continue;
		let best = Number.POSITIVE_INFINITY;
		const warp = new Float32Array(parts);
		for (const [mode, {template}] of modes.entries()) {
			const distance = modes.length === 1 ? 0 : aligner.distance(course, template);
			if (distance >= best) continue;
			best = distance;
			modeOf[at] = mode;
		}
		const own = modes[modeOf[at] as number];
		if (!own) continue;
		aligner.align(course, own.template, places);
		warp.set(places);
		warps[at] = warp;
	}
	return {modeOf, warps};
}

/** When each episode is at each phase. A cell is two parts of the template. */
type Clock = {readonly warps: readonly Float32Array[]; readonly parts: number; readonly cells: number};

/** The part of an episode, to fractions, that belongs to a cell. */
function partAt({warps, cells}: Clock, at: number, cell: number): number {
	const warp = warps[at] as Float32Array;
	const held = Math.min(cells - 1, Math.max(0, cell));
	return ((warp[2 * held] as number) + (warp[2 * held + 1] as number)) / 2;
}

function courseField(
	profile: Profile,
	stream: Stream,
	width: number,
	clock: Clock,
	at: number,
	values: Float64Array,
): void {
	const course = profile[stream]?.course as Float32Array;
	for (let cell = 0, place = 0; cell < clock.cells; cell++) {
		const part = partAt(clock, at, cell);
		const before = Math.floor(part);
		const share = part - before;
		const [low, high] = [before * width, Math.min(clock.parts - 1, before + 1) * width];
		for (let channel = 0; channel < width; channel++, place++) {
			const value = course[low + channel] as number;
			values[place] = value + ((course[high + channel] as number) - value) * share;
		}
	}
}

/** The gap of each pair, less what its usual lag makes of the action's speed. */
function gapField(
	{action, state, frames}: Profile,
	pairs: readonly ChannelPair[],
	lags: readonly number[],
	clock: Clock,
	at: number,
	values: Float64Array,
): void {
	if (!action || !state) {
		values.fill(Number.NaN);
		return;
	}
	const {parts, cells} = clock;
	for (let cell = 0, place = 0; cell < cells; cell++) {
		const part = partAt(clock, at, cell);
		const before = Math.floor(part);
		const share = part - before;
		const after = Math.min(parts - 1, before + 1);
		const [earlier, later] = [Math.max(0, before - 1), Math.min(parts - 1, after + 1)];
		const perFrame = parts / frames / (later - earlier);
		for (let pair = 0; pair < pairs.length; pair++, place++) {
			const {action: a, state: s} = pairs[pair] as ChannelPair;
			const low =
				(action.course[before * action.dims + a] as number) -
				(state.course[before * state.dims + s] as number);
			const high =
				(action.course[after * action.dims + a] as number) - (state.course[after * state.dims + s] as number);
			const speed =
				((action.course[later * action.dims + a] as number) -
					(action.course[earlier * action.dims + a] as number)) *
				perFrame;
			values[place] = low + (high - low) * share - (lags[pair] as number) * speed;
		}
	}
}

type Field = {
	readonly members: readonly number[];
	/** Those of them that the template is made of. */
	readonly some: readonly number[];
	readonly width: number;
	readonly scale: ArrayLike<number>;
	/** The least spread, as a share of the scale. */
	readonly floor: number;
	readonly clock: Clock;
	readonly into: {
		readonly local: Deviations;
		readonly whole: Deviations;
		readonly localRest: Deviations;
		readonly wholeRest: Deviations;
	};
};

/** The least spread of what is left beside what goes together, in spreads. */
const leastRest = 0.15;

/**
 * Judges what each episode does in each channel at each phase, and again what is left of it without what usually varies
 * together: of an object that lies elsewhere all joints tell, of a fault one. The directions are those of the other half
 * of the siblings, so that no episode excuses itself.
 */
function judgeField(
	field: Field,
	fill: (at: number, values: Float64Array) => void,
	channelOf: (channel: number) => number,
): void {
	const {members, some, width, scale, floor, clock, into} = field;
	const size = clock.cells * width;
	const raw = some.map(at => {
		const values = new Float64Array(size);
		fill(at, values);
		return values;
	});
	const template = templateOf(raw, size, place => floor * (scale[place % width] as number));
	const lines = raw.map(values => standardised(values, template));
	const halves = [0, 1].map(half => principalDirections(lines.filter((_, place) => place % 2 === half)));
	const rests = lines.map((values, place) => withoutDirections(values, halves[1 - (place % 2)] ?? []));
	const restTemplate = templateOf(rests, size, () => leastRest);
	const own = new Map(some.map((at, place) => [at, place]));
	const buffer = new Float64Array(size);
	for (const at of members) {
		const place = own.get(at);
		if (place === undefined) fill(at, buffer);
		const values = place === undefined ? buffer : (raw[place] as Float64Array);
		const line = place === undefined ? standardised(values, template) : (lines[place] as Float64Array);
		const rest =
			place === undefined ? withoutDirections(line, halves[at % 2] ?? []) : (rests[place] as Float64Array);
		const figures = {values, template};
		locate(at, line, field, into.local, into.whole, figures, channelOf);
		locate(at, standardised(rest, restTemplate), field, into.localRest, into.wholeRest, figures, channelOf);
	}
}

type Template = {readonly middle: Float64Array; readonly spread: Float64Array};

function templateOf(
	lines: readonly Float64Array[],
	size: number,
	floor: (place: number) => number,
): Template {
	const middle = new Float64Array(size);
	const spread = new Float64Array(size);
	const column = new Float64Array(lines.length);
	for (let place = 0; place < size; place++) {
		for (let at = 0; at < lines.length; at++) column[at] = lines[at]?.[place] as number;
		const {median, below, above} = tailedScatterOf(column);
		middle[place] = median;
		spread[place] = Math.hypot(Math.max(below, above), floor(place));
	}
	return {middle, spread};
}

function standardised(values: Float64Array, {middle, spread}: Template): Float64Array {
	const result = new Float64Array(values.length);
	for (let place = 0; place < values.length; place++) {
		const size = ((values[place] as number) - (middle[place] as number)) / (spread[place] as number);
		result[place] = Number.isNaN(size) ? 0 : size;
	}
	return result;
}

/** Cells over which a deviation is averaged: what is shorter has figures of its own. */
const window = 3;

/** Finds the channel and the stretch in which a line is farthest from nought, and how far it is from it on the whole. */
function locate(
	at: number,
	line: Float64Array,
	{width, clock}: Field,
	local: Deviations,
	whole: Deviations,
	{values, template}: {values: Float64Array; template: Template},
	channelOf: (channel: number) => number,
): void {
	const {cells, parts} = clock;
	let best = 0;
	let bestChannel = 0;
	let bestCell = 0;
	let total = 0;
	for (let channel = 0; channel < width; channel++) {
		let sum = 0;
		for (let cell = 0, place = channel; cell < cells; cell++, place += width) {
			const value = line[place] as number;
			total += value * value;
			sum += value;
			if (cell >= window) sum -= line[place - window * width] as number;
			if (cell >= window - 1 && Math.abs(sum) > best) {
				best = Math.abs(sum);
				bestChannel = channel;
				bestCell = cell - (window >> 1);
			}
		}
	}
	const far = best / window;
	const beyond = (cell: number) => Math.abs(line[cell * width + bestChannel] as number) > far / 2;
	let from = bestCell;
	let until = bestCell;
	while (from > 0 && beyond(from - 1)) from--;
	while (until < cells - 1 && beyond(until + 1)) until++;
	const place = bestCell * width + bestChannel;
	const share = (cell: number) => (partAt(clock, at, cell) + 0.5) / parts;
	for (const [into, size] of [
		[local, far],
		[whole, Math.sqrt(total / cells / width)],
	] as const) {
		into.size[at] = size;
		into.channel[at] = channelOf(bestChannel);
		into.value[at] = values[place] as number;
		into.usual[at] = template.middle[place] as number;
		into.spread[at] = template.spread[place] as number;
	}
	local.place(at, share(from), share(until));
}

/** How far off the clock an episode runs: a phase that comes early or late. */
function judgePhase(
	members: readonly number[],
	some: readonly number[],
	{warps, parts}: Clock,
	phase: Deviations,
): void {
	const template = templateOf(
		some.map(at => Float64Array.from(warps[at] as Float32Array)),
		parts,
		() => 0.01 * parts,
	);
	for (const at of members) {
		const warp = warps[at] as Float32Array;
		for (let part = 0; part < parts; part++) {
			const raised = phase.raise(
				at,
				-1,
				warp[part] as number,
				template.middle[part] as number,
				template.spread[part] as number,
			);
			if (raised) phase.place(at, (warp[part] as number) / parts, (warp[part] as number) / parts);
		}
	}
}

const tenths = 10;

/** How long an episode takes for each tenth of the task, in frames: a pause, a hurry, a phase left out. */
function judgePace(
	members: readonly number[],
	profiles: readonly ComparedProfile[],
	{warps, parts}: Clock,
	pace: Deviations,
): void {
	const column = new Float64Array(members.length);
	const edge = (at: number, tenth: number) => {
		const place = (tenth * (parts - 1)) / tenths;
		const warp = warps[at] as Float32Array;
		const before = Math.floor(place);
		const low = warp[before] as number;
		return (low + ((warp[Math.min(parts - 1, before + 1)] as number) - low) * (place - before)) / parts;
	};
	for (let tenth = 0; tenth < tenths; tenth++) {
		for (const [place, at] of members.entries()) {
			column[place] = Math.log((edge(at, tenth + 1) - edge(at, tenth)) * (profiles[at]?.frames ?? 1) + 3);
		}
		const {median, below, above} = tailedScatterOf(column);
		for (const [place, at] of members.entries()) {
			const value = column[place] as number;
			const raised = pace.raise(at, -1, value, median, Math.max(0.12, value > median ? above : below));
			if (raised) pace.place(at, edge(at, tenth), edge(at, tenth + 1));
		}
	}
}
